"""The pages of a desk: what is dropped is read, what is missing asked for, what is wrong mended, what is paid shown.

Each page follows from the files of the desk alone, see :mod:`resultproc.web.desk`; what it says comes from the
functions that the command line calls.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Any

from flask import Flask, Response, abort, redirect, request, send_file, url_for
from markupsafe import Markup
from werkzeug.exceptions import HTTPException, NotFound
from werkzeug.security import safe_join
from werkzeug.wrappers import Response as AnyResponse

from resultproc.batch.naming import FAILED_FOLDER, FROM_FOLDER
from resultproc.formats import mend
from resultproc.formats.declared import DAYS_OF_WEEK
from resultproc.formats.loaded import SETTINGS, language_of, load_source
from resultproc.model.errors import InputError, OutputError, Problem, ResultprocError, quoted, shown
from resultproc.model.files import write_bytes
from resultproc.model.language import ENGLISH, as_it_is, as_told, languages, speak, unmarked
from resultproc.model.plugins import named
from resultproc.model.text import cell_text
from resultproc.pages.design import Report, linked, render
from resultproc.pages.words import day
from resultproc.reports.infer.infer import infer, inferred_sidecar
from resultproc.reports.series import Method
from resultproc.web.desk import (
    Desk,
    GameInWork,
    SavedFile,
    declared_beside,
    file_name,
    keys_as_toml,
    keys_of,
    same_among,
    texts_declared,
    version_of,
)
from resultproc.web.look import (
    AS_LAST_TIME,
    Differences,
    Look,
    declared_in_form,
    glance,
    look,
    plainly,
    what_changed,
    written_result,
)
from resultproc.web.publishing import planned_shipments, sent, shipment_mark
from resultproc.web.safety import LOG, Guard, policy
from resultproc.web.series import (
    METHODS,
    KeptSeries,
    file_of_game,
    keep_series,
    kept_series,
    report_of_month,
    report_of_series,
)

DOWNLOADS = (("html", "Page"), ("xlsx", "Workbook"), ("usebio", "USEBIO"), ("json", "JSON"))

_SCRIPT = ("pages/find.js", "web/once.js")
_MOST_ROWS = 500
"""This many rows of a file are listed to be opened."""

_MEANINGS = ("section", "direction", "number", "player1", "player2", "names", "stratum", "score", "percentage", "rank")
"""The headings that a column may get, where people call it otherwise."""


_SHEET = b"<!-- sheet -->"
"""What stands on the page of a game in the place of its sheet until all else is said."""

_WAY_BACK = '<nav class="site" aria-label="Desk"><a href="/">All games</a>'


def make_app(desk: Desk, guard: Guard, receipts: Path, asked: str = ENGLISH) -> Flask:
    """Return the application that serves a desk. receipts: the file of those of what was published.

    asked: the language of the command line, which holds as long as the settings say none; English for the browser's.
    What an earlier program was saving is finished; raises OutputError where that is impossible.
    """
    app = Flask("resultproc.web", static_folder=None)
    guard.protect(app)
    for why in desk.finish():
        LOG.warning("not among the results: %s", why)
    pages = _Pages(desk, guard, receipts)
    app.register_error_handler(Exception, pages.failed)
    app.before_request(_refuse_no_name)
    app.before_request(lambda: speak(language_of(desk.settings) or _usual_language(asked)))
    app.add_url_rule("/", "desk", pages.desk)
    app.add_url_rule("/settings", "settings", pages.settings)
    app.add_url_rule("/settings", "set", pages.set, methods=["POST"])
    app.add_url_rule("/games", "add", pages.add, methods=["POST"])
    app.add_url_rule("/made", "make", pages.make, methods=["POST"])
    app.add_url_rule("/games/<id_>", "game", pages.game)
    for name in ("keys", "infer", "cells", "rows", "back", "save", "drop", "take_out", "put_back"):
        app.add_url_rule(f"/games/<id_>/{name.replace('_', '-')}", name, getattr(pages, name), methods=["POST"])
    app.add_url_rule("/saved", "open", pages.open, methods=["POST"])
    app.add_url_rule("/saved", "offer_saved", pages.offer)
    app.add_url_rule(FROM_FOLDER, "offer", pages.offer)
    app.add_url_rule(FROM_FOLDER, "fetch", pages.fetch, methods=["POST"])
    app.add_url_rule("/games/<id_>/publish", "publish", pages.publish)
    app.add_url_rule("/games/<id_>/publish", "send", pages.send, methods=["POST"])
    app.add_url_rule("/games/<id_>/sheet", "sheet", pages.sheet)
    app.add_url_rule("/games/<id_>/as/<format_>", "download", pages.download)
    app.add_url_rule("/results/<path:name>", "results", pages.results)
    app.add_url_rule("/month/<month>", "month", pages.month)
    app.add_url_rule("/series", "choose", pages.choose)
    app.add_url_rule("/series", "make_series", pages.make_series, methods=["POST"])
    app.add_url_rule("/series/<path:name>", "series", pages.series)
    return app


def _usual_language(asked: str) -> str:
    """Return the language of somebody whose settings say none. asked: the one of the command line, else English."""
    return asked if asked != ENGLISH else request.accept_languages.best_match(languages(), ENGLISH)


class _Pages:
    """What is answered to each address."""

    def __init__(self, desk: Desk, guard: Guard, receipts: Path) -> None:
        self._desk = desk
        self._guard = guard
        self._receipts = receipts

    # What is shown

    def desk(self, told: Iterable[str] = ()) -> Response:
        """Return the first page. told: why something was refused, in lines, which are in the log as well."""
        told, put_back = list(told), request.args.get("back", "")
        saved, series = [], {}
        try:
            series = kept_series(self._desk.root)
            saved = self._desk.listed()
        except ResultprocError as error:
            told += map(as_told, error.problems)
        return self._page(
            "web/desk.html",
            told,
            title="Your games",
            done=f"{put_back} is back in its folder, which is looked at by itself." if put_back else "",
            games=[
                (game, seen.standing(), bool(seen.sheet and not game.saved_as and same_among(saved, seen.sheet)))
                for game in self._desk.games()
                if not game.is_as_saved or game.changed_since
                for seen in [glance(game.source(), date.today())]
            ],
            months=self._by_month(saved),
            series=list(series),
            reads_pdf=find_spec("pdfplumber") is not None,
            left_out=[(each.path.name, plainly(Problem(each.left_out))) for each in saved if each.left_out],
            folder=str(self._desk.saved),
        )

    def game(self, id_: str, told: Iterable[str] = ()) -> Response:
        game = self._game(id_)
        seen, before = look(game.source()), game.before()
        again = self._again(game, seen)
        fields = list(seen.fields(self._proposed(again)))
        at = request.args.get("at", "")
        if seen.draft is None and seen.problems:
            LOG.warning("not read: %s", as_it_is("; ".join(map(as_told, seen.problems))))
        doubts, cells = seen.doubts(), mend.cells_at(seen.source, at) if at else []
        doubt = doubts.get(mend.row_at(at)) if at else None
        likely, others = seen.mistakes()
        # The page has the script already; what is from a file is escaped in the sheet.
        sheet = re.sub(rb"<script>.*?</script>", b"", seen.fragment, flags=re.DOTALL) if seen.result else b""
        mends = bool(mend.cells_at(seen.source, seen.seats()[0].where)) if seen.seats() else False
        page = self._page(
            "web/game.html",
            told,
            title=game.name,
            game=game,
            state=game.version,
            heading=seen.standing().title or game.name,
            folder=str(self._desk.saved),
            page=self._page_of(game),
            lead=_lead(seen),
            changed=what_changed(before, seen),
            again=[(each, day(each.saved_on), self._differences(each, seen)) for each in again],
            apart=_APART,
            problems=seen.to_mend(fields),
            unread=seen.unread,
            rows=[each for each in mend.file_rows(seen.source) if each.text][:_MOST_ROWS],
            gone=mend.rows_gone(game.as_it_came(), seen.source),
            joins=bool(at and mend.row_joined(seen.source, at)),
            meanings=_MEANINGS,
            asked=[asked for each in fields if (asked := [one for one in each if one.asked])],
            fields=[[one for one in each if not one.asked] for each in fields],
            infers=seen.result is None and seen.prints_awards,
            awarded=seen.result is not None,
            save_as=Path(game.saved_as or _save_as(seen, game)).stem if seen.result else "",
            downloads=DOWNLOADS,
            likely=likely,
            others=others,
            doubts=doubts,
            row=doubt.marked(cells) if doubt else cells,
            doubt=doubt,
            at=at,
            seats=seen.seats(),
            mends=mends,
            lists=seen.draft.understood.lists if seen.draft else [],
            can_take_back=before is not None,
        )
        page.set_data(page.get_data().replace(_SHEET, sheet))  # which is in the language already
        return page

    def sheet(self, id_: str) -> Response:
        """Return the page of a game as it is given out, with a link back."""
        game = self._game(id_)
        back = f'<nav class="site" aria-label="Desk"><a href="/games/{game.id}">Back to the desk</a></nav>\n'
        return _as_made(linked(written_result(self._awarded(game), "html"), back.encode()))

    def download(self, id_: str, format_: str) -> AnyResponse:
        """Return a game as the file that the command line writes."""
        game = self._game(id_)
        if format_ not in dict(DOWNLOADS):
            abort(404)
        data = written_result(self._awarded(game), format_)
        name = f"{Path(game.saved_as or game.name).stem}{named('writers', format_).endings[0]}"
        return send_file(BytesIO(data), "application/octet-stream", as_attachment=True, download_name=name)

    def results(self, name: str) -> AnyResponse:
        path = safe_join(str(self._desk.results), name)
        # What a link leads out of the folder is not given out, nor what failed: that is as it came.
        file = Path(path or self._desk.results).resolve()
        if (
            not os.path.isfile(file)  # noqa: PTH113, that of Path fails for a name that is too long for any file
            or file.suffix not in _GIVEN_OUT
            or not file.is_relative_to(self._desk.results)
            or file.relative_to(self._desk.results).parts[0].casefold() == FAILED_FOLDER
        ):
            abort(404)
        if file.suffix == ".html":
            return _as_made(file.read_bytes())
        return Response(file.read_bytes(), mimetype=_GIVEN_OUT[file.suffix])

    def month(self, month: str) -> Response:
        try:
            first = date.fromisoformat(f"{month}-01")
        except ValueError:
            abort(404)
        saved = self._desk.listed()
        paths = [each.path for each in saved if month in each.months]
        if not paths:
            abort(404)
        last = (first + timedelta(31)).replace(day=1) - timedelta(1)
        return self._report(lambda: report_of_month(paths, self._desk.settings, first, last), saved)

    def series(self, name: str) -> Response:
        made = kept_series(self._desk.root).get(name) or abort(404)
        saved = self._desk.listed()
        paths = [each.path for each in saved]
        to = url_for("choose", name=name)
        return self._report(lambda: report_of_series(name, made, paths, self._desk.settings), saved, to)

    def _report(self, make: Callable[[], Report], saved: Iterable[SavedFile], change: str = "") -> Response:
        """Return the page of a report on saved games; what keeps it from being made is told above the list of these.

        change: the address where what it is about is changed.
        """
        try:
            report = make()
        except ResultprocError as error:
            ways = [Markup('<a href="{}">Choose its games</a>').format(change)] if change else []
            answer = self.desk([*map(self._with_ways, quoted(error.problems, "problems")), *ways])
            answer.status_code = 409
            return answer
        both = [[self._with_ways(each) for each in notes] for notes in (report.problems, report.remarks)]
        page = replace(report, problems=both[0], remarks=both[1]).page()
        left_out = [f"{as_it_is(each.name)}: {each.left_out}" for each in saved if each.left_out]
        links = Markup(_WAY_BACK)  # noqa: S704 - it is ours
        links += Markup('<a href="{}">Choose its games</a></nav>\n').format(change) if change else Markup("</nav>\n")
        if left_out:
            links += Markup('<p role="status">Left out: {}</p>\n').format("; ".join(left_out))
        return _as_made(linked(page, str(links).encode()))

    def _with_ways(self, problem: object) -> Markup:
        """Return what is wrong with a saved game in plain words, with links to where it is answered."""
        if not isinstance(problem, Problem):
            return Markup("{}").format(problem)
        said, name = Markup("{}").format(plainly(problem)), Path(problem.file).name
        if problem.key in _OF_CLUB:
            said += Markup(' <a href="/settings#{}">Say it for every game</a>').format(_OF_CLUB[problem.key])
        if name and (self._desk.saved / name).is_file():
            said += Markup(' <a href="{}">Look at the game</a>').format(url_for("offer_saved", name=name))
        return said

    def choose(self, told: Iterable[str] = ()) -> Response:
        """Return the form that makes a series of saved games, or changes one."""
        name = request.values.get("name", "")
        made = kept_series(self._desk.root).get(name)
        saved = self._desk.listed()
        games = made.games if made else ()
        return self._page(
            "web/series.html",
            told,
            title="A series",
            called=name,
            chosen=[path.name for game in games if (path := file_of_game(game, [each.path for each in saved]))],
            method=made.method if made else "",
            methods=METHODS,
            months=self._by_month(saved),
        )

    def make_series(self) -> AnyResponse:
        """Keep a series of the games that are chosen, under its name."""
        name = cell_text(request.form.get("name", "").strip())
        try:
            method = Method(request.form.get("method", Method.MASTERPOINTS))
            with self._desk.lock:
                keep_series(self._desk.root, name, KeptSeries(tuple(request.form.getlist("game")), method))
        except ValueError:
            abort(400)
        except ResultprocError as error:
            return self.choose(map(as_told, error.problems))
        there = bool(request.form.getlist("game"))
        return redirect(url_for("series", name=name) if there else url_for("desk"), 303)

    def settings(self, told: Iterable[str] = (), given: Mapping[str, str] | None = None) -> Response:
        """Return the club's settings as a form. told: why they were refused. given: what was given."""
        from resultproc.web import settings

        told = list(told)
        try:
            said = given or settings.as_form(self._desk.settings)
        except ResultprocError as error:
            told, said = [*told, *map(as_told, error.problems)], {}
        return self._page(
            "web/settings.html",
            told,
            title="Your club",
            done=bool(request.args.get("saved")),
            said=said,
            state=given.get("version", "") if given else version_of(self._desk.root / SETTINGS),
            ratings=settings.ratings(),
            spoken=settings.spoken(),
            days=DAYS_OF_WEEK,
            letters=settings.LETTERS,
            links=range(settings.LINKS),
            sites=settings.site_fields(),
            file=str(self._desk.root / SETTINGS),
        )

    def set(self) -> AnyResponse:
        """Write the club's settings, and the list of its players where one was sent; award what is saved by them."""
        from resultproc.web import settings

        form = request.form.to_dict()
        sent = request.files.get("members")
        try:
            with self._desk.lock:
                settings.write(self._desk.root, form, (sent.filename, sent.read()) if sent and sent.filename else None)
        except ResultprocError as error:
            return self.settings(map(as_told, error.problems), form)
        before = {each.name for each in self._desk.listed() if each.left_out}
        wrong = [f"The settings are saved, but no pages are made by them: {why}" for why in self._desk.not_made()]
        for each in self._desk.listed() if not wrong else ():
            if each.left_out and each.name not in before:
                why = plainly(Problem(each.left_out, file=each.name))
                wrong.append(f"The settings are saved, but a saved game is not awarded by them: {why}")
        return self.settings(wrong) if wrong else redirect(url_for("settings", saved=1), 303)

    def publish(self, id_: str, told: Iterable[str] = (), receipt: Iterable[str] = ()) -> Response:
        """Return what of a game would go where; nothing is sent."""
        game = self._game(id_)
        wrong = list(told)
        shipments = []
        if game.changed_since:
            wrong.append("you have changed the game since it was saved: what goes is what was saved")
        if not game.saved_as:
            wrong.append("save the game first: what is saved is what is sent")
        elif not receipt:
            saved = self._desk.saved / game.saved_as
            with planned_shipments(saved, self._desk.settings, self._receipts) as (to, problems, _):
                shipments = [(each, shipment_mark(each)) for each in to]
                wrong += map(str, problems)
        return self._page(
            "web/publish.html",
            wrong,
            title="Publish",
            game=game,
            state=game.version,
            receipt=list(receipt),
            shipments=shipments,
            folder=str(self._desk.root),
        )

    # What is done

    def add(self) -> AnyResponse:
        """Keep what was dropped or pasted, each file as a game; a TOML file goes with the game of its name."""
        files = [(each.filename or "", each.read()) for each in request.files.getlist("files") if each.filename]
        text = request.form.get("text", "").strip()
        if text:
            files.append(("pasted.txt", text.replace("\r\n", "\n").encode()))
        told: list[str] = []
        games: list[tuple[Path, bytes]] = []
        besides: dict[str, bytes] = {}
        for given, data in files:
            try:
                path = Path(file_name(given))
            except InputError as error:
                told += map(as_told, error.problems)
                continue
            if path.suffix.lower() == ".toml":
                besides[path.stem] = data
            else:
                games.append((path, data))
        for name in besides.keys() - {path.stem for path, _ in games}:
            told.append(f"{name}.toml goes with a results file of the same name: choose both at once")
        kept = [self._put(path.name, data, besides.get(path.stem)) for path, data in games]
        if not files:
            told.append("choose a file, or paste a table")
        if told or len(kept) != 1:
            return self.desk(told) if told else redirect(url_for("desk", _anchor="work"), 303)
        return self._shown(kept[0])

    def _put(self, name: str, data: bytes, beside: bytes | None) -> GameInWork:
        """Keep a file as a game in work; what was declared of the same game when it was saved holds of it."""
        game = self._desk.put(name, data, beside)
        new = not game.beside.is_file()
        again = self._again(game, glance(game.source(), date.today())) if new else []
        declared = declared_beside(again[0].path) if again else {}
        if set(declared) == {""}:
            write_bytes(game.beside, keys_as_toml(declared))
        return game

    def make(self) -> AnyResponse:
        wrong = self._desk.not_made()
        return self.desk(wrong) if wrong else redirect(url_for("desk"), 303)

    def keys(self, id_: str) -> AnyResponse:
        game = self._game(id_)
        seen = look(game.source())
        games = seen.fields(self._proposed(self._again(game, seen)))
        fields = [one for each in games for one in each if one.name in request.form]

        def declare() -> None:
            keys, told = declared_in_form(fields, game.keys(), request.form.to_dict())
            data = mend.told_anew(game.source(), told) if told else None
            declares = any(keys.values()) or game.beside.is_file()
            self._desk.change(game, _version(), data=data, keys=keys if declares else None)

        return self._done(game, declare)

    def infer(self, id_: str) -> AnyResponse:
        """Declare what explains the masterpoints that a file prints, where it does not say it itself."""
        game = self._game(id_)

        def declare() -> None:
            source = game.source()
            found = infer(source)
            wrong = list(found.unexplained)
            if wrong:
                raise InputError(wrong)
            told = keys_of(source.name, inferred_sidecar(source.name, found, {}))
            both = {name: {**told.get(name, {}), **game.keys().get(name, {})} for name in {**told, **game.keys()}}
            self._desk.change(game, _version(), keys=both)

        return self._done(game, declare)

    def cells(self, id_: str) -> AnyResponse:
        game = self._game(id_)
        cells = {name[5:]: value for name, value in request.form.items() if name.startswith("cell ")}
        return self._done(game, lambda: self._desk.change(game, _version(), data=mend.mended(game.source(), cells)))

    def rows(self, id_: str) -> AnyResponse:
        """Leave out a row of a game's file, take it in again, or join it with the one below."""
        game = self._game(id_)
        where, how = request.form.get("at", ""), request.form.get("how", "")

        def change() -> None:
            source = game.source()
            if how == "take":
                cells = mend.row_taken_in(source, game.as_it_came(), where)
            else:
                cells = (mend.row_joined if how == "join" else mend.row_left_out)(source, where)
            self._desk.change(game, _version(), data=mend.mended(source, cells))

        return self._done(game, change)

    def back(self, id_: str) -> AnyResponse:
        game = self._game(id_)
        return self._done(game, lambda: self._desk.take_back(game, _version()))

    def save(self, id_: str) -> AnyResponse:
        """Save a game, and make the pages of all that are saved."""
        game = self._game(id_)
        seen = self._awarded(game)
        version, _, over = request.form.get("over", "").partition("/")

        def save() -> list[str]:
            self._desk.make_what_is_unmade()
            if not request.form.get("over") and self._again(game, seen, waits=True):
                raise InputError("you have saved this game before: say whether this replaces it")
            if over and not game.saved_as:
                name = self._desk.replace(game, _version(), over, version)
            else:
                name = self._desk.save(game, _version(), request.form.get("name", ""))
            return [f"It is saved as {name}, but not among the results: {why}" for why in self._desk.not_made(name)]

        return self._done(game, save)

    def open(self) -> AnyResponse:
        return self._shown(self._desk.opened(request.form.get("name", "")) or abort(404))

    def offer(self) -> Response:
        """Return the page that asks whether a file of a watched folder, or one that is saved, is to be mended here."""
        name = request.args.get("name", "")
        file = self._desk.saved / name if name else Path(request.args.get("file", ""))
        return self._page("web/from.html", title="A file to mend", file=file, saved=bool(name))

    def fetch(self) -> AnyResponse:
        try:
            return self._shown(self._desk.fetch(Path(request.form.get("file", ""))))
        except ResultprocError as error:
            return self.desk(map(as_told, error.problems))

    def put_back(self, id_: str) -> AnyResponse:
        """Write a game that came from a watched folder there, mended."""
        game = self._game(id_)
        to = url_for("desk", back=game.name)
        return self._done(game, lambda: self._desk.put_back(game, _version()), to)

    def take_out(self, id_: str) -> AnyResponse:
        """Take a game out of those that are saved, with its pages; it stays on the desk."""
        game = self._game(id_)

        def take_out() -> list[str]:
            self._desk.take_out(game, _version())
            return self._desk.not_made()

        return self._done(game, take_out)

    def send(self, id_: str) -> AnyResponse:
        """Send a game that is saved to one site, and show the receipt."""
        game = self._game(id_)
        only = request.form.get("site", "")
        if not game.saved_as or not only:
            return self.publish(id_)
        try:
            with self._desk.lock:
                saved, confirmed = self._desk.saved / game.saved_as, request.form.get("confirmed", "")
                receipt = sent(saved, self._desk.settings, self._receipts, only, confirmed)
        except ResultprocError as error:
            return self.publish(id_, map(as_told, error.problems))
        return self.publish(id_, receipt=receipt)

    def drop(self, id_: str) -> AnyResponse:
        game = self._game(id_)
        return self._done(game, lambda: self._desk.drop(game, _version()), url_for("desk"))

    def failed(self, error: Exception) -> AnyResponse:
        """Return a page that says what went wrong; nobody sees a traceback."""
        if isinstance(error, HTTPException):
            gone = error.description if isinstance(error, _GameGoneError) else None
            status, what = error.code or 500, gone or _WHAT.get(error.code or 500, error.description or "")
        elif isinstance(error, ResultprocError):
            status, what = 409, "; ".join(map(as_told, quoted(error.problems, "problems")))
        elif isinstance(error, OSError):
            where = shown(error.filename) if error.filename else "This machine says"
            why = error.strerror or str(error) or "it did not work"
            status, what = 409, f"{where}: {why}. Mend that, and look at the game again: {_SHOWN}"
        elif isinstance(error, MemoryError):
            status, what = 409, f"There is not enough memory for it. Look at the game again: {_SHOWN}"
        else:
            LOG.exception("a bug in resultproc")
            status, what = 500, _WHAT[500]
        if status >= 400:
            LOG.warning("%s %s: %s", status, request.path[:200], unmarked(what))
        return failure(status, what, way_back=status not in (400, 403))

    # How

    def _game(self, id_: str) -> GameInWork:
        game = self._desk.game(id_)
        if game is None:
            raise _GameGoneError
        return game

    def _by_month(self, saved: Iterable[SavedFile]) -> list[tuple[str, str, list[SavedFile]]]:
        """Return each month with its title and the games that were played in it, the newest month first."""
        of_month: dict[str, list[SavedFile]] = {}
        for each in sorted(saved, key=lambda each: max((game["date"] for game in each.played), default="")):
            for month in each.months if not each.left_out else ():
                of_month.setdefault(month, []).append(each)
        months = sorted(of_month, reverse=True)
        titles = [f"{date.fromisoformat(f'{month}-01'):%B %Y}" if month else "Without a date" for month in months]
        return [(month, title, of_month[month]) for month, title in zip(months, titles, strict=True)]

    def _page_of(self, game: GameInWork) -> str:
        """Return the name of the page of a game as it is saved; empty where there is none of it as it is."""
        name = f"{Path(game.saved_as).stem}.html"
        there = game.is_as_saved and not game.changed_since and (self._desk.results / name).is_file()
        return name if there else ""

    def _again(self, game: GameInWork, seen: Look, *, waits: bool = False) -> list[SavedFile]:
        """Return the files that are saved with a game of this one, which is not.

        waits: as for :meth:`Desk.listed`, and it raises as that does; else there are none while another program works.
        """
        if game.saved_as or seen.sheet is None:
            return []
        try:
            return same_among(self._desk.listed(waits=waits), seen.sheet)
        except OutputError:
            if waits:
                raise
            return []

    def _proposed(self, again: Sequence[SavedFile]) -> dict[str, str]:
        """Return what is proposed for what a game lacks: as it was saved before, else as the last game had it."""
        if again:
            return texts_declared(again[0].path)
        return {key: value for key, value in self._desk.last().items() if key in AS_LAST_TIME}

    def _differences(self, saved: SavedFile, seen: Look) -> Differences | None:
        settings = str(self._desk.settings) if self._desk.settings else None
        return what_changed(load_source(saved.path, settings), seen)

    def _awarded(self, game: GameInWork) -> Look:
        seen = look(game.source())
        if seen.result is None:
            raise InputError(seen.problems)
        return seen

    def _done(self, game: GameInWork, do: Callable[[], list[str] | None], to: str = "") -> AnyResponse:
        """Do something to a game, and show it, or lead to another address; what is wrong is told on its page."""
        try:
            wrong = do()
        except ResultprocError as error:
            wrong = list(map(as_told, error.problems))
        return self.game(game.id, wrong) if wrong else redirect(to or url_for("game", id_=game.id), 303)

    def _shown(self, game: GameInWork) -> AnyResponse:
        return redirect(url_for("game", id_=game.id), 303)

    def _page(self, template: str, told: Iterable[str] = (), **values: Any) -> Response:
        """Return a page. told: why something was refused, in lines, which are in the log as well."""
        told = list(told)
        for what in told:
            LOG.warning("refused: %s", unmarked(what.striptags() if isinstance(what, Markup) else what))
        page = render(template, script=_SCRIPT, token=self._guard.token, provenance=None, told=told, **values)
        answer = _as_made(page)
        answer.status_code = 409 if told and request.method == "POST" else 200
        return answer


class _GameGoneError(NotFound):
    """A page asks for a game that is not on the desk."""

    description = (
        "This game is not on the desk any more: it was put back into its folder, replaced or taken off in another"
        " window. What was saved of it is still saved: look at All games."
    )


_OF_CLUB = {"rating": "games", "boards": "games", "strata": "strata", "stratify_by": "strata"}
"""What the settings say for every game, by the place on their page."""

_APART = "/"
"""How a form says that a game is another one than what is saved of the same players; else the version of what it
replaces stands before the stroke, and its name behind it."""


_GIVEN_OUT = {
    ".html": "text/html",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
"""What is given out of the results, by its ending."""

_SHOWN = "what its page shows is what is on the disk."
_WHAT = {
    400: "This is no request that a page of resultproc makes.",
    403: "This page is open in the browser that resultproc opened, and in no other. Its first address works once, and"
    " for ten minutes. For a new one end resultproc open, and start it again: nothing that you have done is lost.",
    404: "There is no such page here.",
    405: "There is no such page here.",
    500: f"This is a bug in resultproc. Look at the game again: {_SHOWN}",
    413: "This is larger than any club's results: 32 MB are the most.",
}


def failure(status: int, what: str = "", *, way_back: bool = False) -> Response:
    """Return the page that says why a request was refused, or did not work. way_back: whether it leads to the desk."""
    page = Report("That did not work", lead=what or _WHAT.get(status, _WHAT[400])).page()
    answer = _as_made(linked(page, _WAY_BACK.encode() + b"</nav>\n" if way_back else b""))
    answer.status_code = status
    return answer


def _as_made(page: bytes) -> Response:
    """Return a page of this design, with the policy that lets it run its own script and no other."""
    answer = Response(page, mimetype="text/html")
    found = re.search(rb"script-src '(sha256-[^']+)'", page)
    if found:
        answer.headers["Content-Security-Policy"] = policy(found[1].decode())
    return answer


def _refuse_no_name() -> None:
    """Refuse an address that no file can have."""
    if "\0" in request.path:
        abort(404)


def _version() -> str:
    return request.form.get("version", "")


def _lead(seen: Look) -> str:
    """Return what is to be done next."""
    if seen.result is not None:
        return ""
    if seen.unread:
        return "This file cannot be read."
    if seen.asked and all(each.key for each in seen.problems):
        return "One more thing: say what the file does not, and it is awarded."
    return "Something in the file is not right: mend it first." if seen.problems else ""


def _save_as(seen: Look, game: GameInWork) -> str:
    assert seen.result is not None
    days = seen.result.games["date"].dropna()
    return f"{days.iloc[0]:%Y-%m-%d} {Path(game.name).stem}.x" if len(days) else game.name
