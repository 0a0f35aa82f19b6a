"""Sealed files verified: what each shows, compared with what follows from its own data.

Nothing but the file is read. Its data are ranked and awarded as any file, under the rulebook that they name and with
the tables of today, and written in its format: what comes of that is what the file has to show, in every cell.

Outputs that are sealed are verified so before they are given out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from enum import IntEnum
from itertools import zip_longest
from pathlib import PurePath
from typing import Any

from resultproc.formats.read import read
from resultproc.formats.registry import Sealed, Shown, Writer
from resultproc.formats.source import Readable, errors_of, load_source
from resultproc.model.errors import FormatError, InputError, Problem
from resultproc.model.errors import shown as readable
from resultproc.model.frames import Result
from resultproc.model.plugins import named, names
from resultproc.model.provenance import PROVENANCE_KEY, Provenance, program
from resultproc.model.source import Source
from resultproc.reports.verify.seal import (
    HIDDEN,
    SEAL_KEYS,
    SEAL_VERSION,
    SIGNATURE,
    SealData,
    SigningKey,
    canonical,
    data_of,
    digest,
    given,
    seal_of,
    signature_doubts,
    signed,
    sums,
)
from resultproc.stages.doubts import Doubts
from resultproc.stages.pipeline import award_sheet, with_boards


@dataclass(frozen=True)
class Finding:
    """Something that does not follow.

    who: the contestant that it is of.
    what: where or what it is.
    shown: as the file has it, and follows: as it would have to be; both '' where there are no two texts to compare.
    """

    what: str
    who: str = ""
    shown: str = ""
    follows: str = ""

    def __str__(self) -> str:
        compared = f"'{self.shown}', but '{self.follows}' follows" if self.shown and self.follows else ""
        if self.shown and not self.follows:
            compared = f"'{self.shown}', which does not follow"
        if self.follows and not self.shown:
            compared = f"'{self.follows}' is missing"
        # A problem quotes nothing that is too long, or that a terminal would take for a command.
        return str(Problem(": ".join(filter(None, [self.who, self.what, compared]))))


class Proof(IntEnum):
    """What is known of what a file shows, the best first."""

    WRITTEN = 0
    """It is as it was written."""
    VALUES = 1
    """Its values follow. Its looks, or what is around it, are not proven."""
    COMPARED = 2
    """Some names and numbers were compared, and follow. It may show others, too."""


@dataclass
class Verified:
    """The outcome of verifying a file.

    contestants: how many it has.
    findings: what does not follow.
    remarks: what follows in another way than it was sealed.
    signed: whether it is signed.
    signed_by: the file of the key, where it was checked that it is with that.
    data: those of its results, one for each fragment of a page.
    result_sums: the SHA-256 of each.
    partly: whether only names, places, scores and awards were compared, as another version words the rest otherwise.
    proof: what is known of what it shows.
    looks: how it looks otherwise than it was written, as far as that is seen.
    """

    file: str
    contestants: int = 0
    findings: list[Finding] = field(default_factory=list)
    remarks: list[Problem] = field(default_factory=list)
    signed: bool = False
    signed_by: str = ""
    data: list[SealData] = field(default_factory=list)
    result_sums: list[str] = field(default_factory=list)
    partly: bool = False
    proof: Proof = Proof.WRITTEN
    looks: list[Finding] = field(default_factory=list)

    def passes(self, *, values: bool = False) -> bool:
        """Say whether it follows, and is as it was written. values: whether it is enough that its values follow."""
        return not self.findings and self.proof <= (Proof.VALUES if values else Proof.WRITTEN)

    @property
    def sources(self) -> list[str]:
        """The files that its results are from, with the SHA-256 of each."""
        files = [each for data in self.data for each in data[PROVENANCE_KEY]["sources"]]
        return [f"{each['name']} (SHA-256 {each['sha256']})" for each in files]


def verify(path: Readable, key: SigningKey | None = None) -> Verified:
    """Verify a sealed file: a page, a workbook or JSON. key: the public key that it is to be signed with.

    Raises InputError, the file named, for one that cannot be read, that has no seal, or whose data cannot be awarded.
    """
    source = load_source(path)
    ending = "" if isinstance(path, Source) else PurePath(source.name).suffix.lower()
    with errors_of(source.name):
        try:
            return _verified(source, key, ending)
        except RecursionError:
            raise FormatError("what is in this file is nested too deeply") from None


def _verified(source: Source, key: SigningKey | None, ending: str) -> Verified:
    writers: list[Writer] = [named("writers", name) for name in names("writers")]
    able = {writer.name: writer for writer in writers if writer.unseal}
    found = next(filter(None, (writer.unseal(source.data) for writer in able.values() if writer.unseal)), [])
    if not found:
        kinds = "a web page, a workbook or JSON"
        raise FormatError("there is no seal in this file", hint=f"resultproc award --seal writes {kinds} with one")
    verified = Verified(readable(source.name))
    for each in found:
        writer = able.get(str(each.seal.get("format")))
        version = each.seal.get("version")
        if writer is None or type(version) is not int or not 1 <= version <= SEAL_VERSION:
            raise FormatError("this seal is of a kind that is not known", hint="it may need a newer resultproc")
        _refuse_misnamed(ending, writer, able.values())
        _refuse_damaged(each)
        _Comparison(source, each, writer, verified).all(key)
    return verified


def _refuse_misnamed(ending: str, writer: Writer, able: Iterable[Writer]) -> None:
    """Raise FormatError for a file with the ending of another kind: a browser shows the tags in JSON as a page."""
    if any(ending in each.endings for each in able if each.unseal is not writer.unseal):
        what = f"this file is no {ending} but {writer.title}, and programs that go by its name show something else"
        raise FormatError(what, hint=f"rename it to end in {writer.endings[0]}")


@dataclass
class _Comparison:
    """A sealed result compared with what follows from its data; what is found goes to ``verified``."""

    source: Source
    sealed: Sealed
    writer: Writer
    verified: Verified

    def all(self, key: SigningKey | None) -> None:
        """Compare the data with the seal, the data with what follows from them, and what is shown with that."""
        data, seal = self.sealed.data, self.sealed.seal
        whole = (own := digest(data)) == seal["sha256"]
        try:
            today = recomputed(data)
        except InputError as error:
            if whole:
                raise
            self._find(Finding(f"its data were changed, and cannot be awarded any more: {error.problems[0]}"))
            return
        again = _as_sealed(today, data)
        self.verified.data.append(data)
        self.verified.contestants += len(again.contestants)
        follows = data_of(again, self.writer, seal["holds"])
        same = data == follows and own == digest(follows)
        differing = [] if same else list(self._differences(self._said(data), self._said(follows), "its data, "))
        self._find(*differing)
        if not whole:
            self._find(*self._changed(follows, {finding.who for finding in differing}))
        self._find(*self._of_seal(data))
        self.verified.result_sums.append(seal["result"])
        self._check_signature(key)
        self._note_rulebooks(today)
        self._compare_shown(again)

    def _said(self, data: SealData) -> list[Shown]:
        """Return every value of some data; for another version's without those that say nothing, which it may lack."""
        return [each for each in _leaves(data) if self._same_program or each.text not in ("", "null")]

    def _find(self, *found: Finding) -> None:
        self.verified.findings += found

    def _remark(self, what: str, hint: str = "") -> None:
        self.verified.remarks.append(Problem(what, hint=hint, file=self.source.name, code="seal.remark"))

    @property
    def _same_program(self) -> bool:
        return bool(self.sealed.data[PROVENANCE_KEY]["program"] == program())

    def _changed(self, follows: SealData, known: set[str]) -> Iterator[Finding]:
        """Yield what of the data is not what was sealed. known: of whom something has been found already."""
        found = False
        sealed = self.sealed.seal["sums"]
        for game, now, was in zip_longest(follows["games"], sums(self.sealed.data), sealed):
            if game is None or was is None or len(now) != len(was):
                break
            whats = ["its data: the game's keys", "its data: the boards"]
            whos = ["", "", *map(who, game["contestants"])]
            for number, (sum_now, sum_was) in enumerate(zip(now, was, strict=True)):
                if sum_now != sum_was:
                    found = True
                    what = whats[number] if number < len(whats) else "its data"
                    if whos[number] not in known or not whos[number]:
                        yield Finding(f"{what} were changed after it was sealed", whos[number])
        if not found:
            yield Finding("its data or its seal were changed after it was sealed")

    def _of_seal(self, data: SealData) -> Iterator[Finding]:
        """Yield what of the seal is not of the data that were sealed."""
        seal = self.sealed.seal
        if digest(data) == seal["sha256"]:
            of_data = seal_of(data, self.writer, seal["holds"] if self.writer.page else HIDDEN)
            for name in ("result", "sums", "holds"):
                if seal[name] != of_data[name]:
                    yield Finding(f"its seal, {name}", shown=str(seal[name]), follows=str(of_data[name]))

    def _check_signature(self, key: SigningKey | None) -> None:
        self.verified.signed = "signature" in self.sealed.seal
        if key:
            doubts = list(signature_doubts(self.sealed.seal, key))
            self._find(*map(Finding, doubts))
            self.verified.signed_by = "" if doubts else key.name

    def _note_rulebooks(self, today: Result) -> None:
        was, now = self.sealed.data[PROVENANCE_KEY]["rulebooks"], today.provenance.entry()["rulebooks"]
        for name in sorted({*was, *now}):
            if name not in was or name not in now:
                self._find(Finding("the rulebooks that paid", shown=", ".join(was), follows=", ".join(now)))
                return
            if was[name] != now[name]:
                what = f"the tables of rulebook {name} are others than when this was sealed"
                self._remark(what, "it was compared with those of today")

    def _compare_shown(self, again: Result) -> None:
        """Compare what the file shows with what a file shows that is written of what follows."""
        seal = {**self.sealed.seal, "data": self.sealed.data}
        assert self.writer.unseal
        written = self.writer.write(replace(again, seal=seal))
        other = self.sealed
        if written != self.source.data:
            (other,) = self.writer.unseal(written)
            self._find(*self._differences(self.sealed.shown(), other.shown(), ""))
        proof = self._proof(other)
        if proof is not Proof.WRITTEN:
            looks = _apart(self.sealed.looks(), other.looks()) if self.sealed.sha256 != other.sha256 else ()
            self.verified.looks += [_finding(here, there) for here, there in looks]
        if self.sealed.inside:
            self._remark("the page around the fragment is not compared")
            proof = max(proof, Proof.VALUES)
        self.verified.proof = max(proof, self.verified.proof)

    def _proof(self, other: Sealed) -> Proof:
        """Return what is known of what the file shows. other: the file that is written of what follows."""
        shows, sealed = self.sealed.sha256, self.sealed.seal.get("shows")
        is_json, is_page = self.writer.name == "json", self.writer.name == "html"
        is_as_sealed = is_json or shows == sealed
        # What this version writes proves nothing of a page of another, which may run what it likes.
        is_written_today = shows == other.sha256 and (self._same_program or not self.writer.page)
        if (is_as_sealed and self.verified.signed_by) or (is_written_today and not self.verified.partly):
            return Proof.WRITTEN
        # Programs do not agree what of some bytes is text, so a page has to have every byte of it.
        if is_page and not self.verified.findings and (self._same_program or (sealed and not is_as_sealed)):
            what = "its bytes are not those that it was written with, though no text that was compared is another"
            self._find(Finding(what))
        return Proof.COMPARED if is_page or (self.verified.partly and not is_json) else Proof.VALUES

    def _differences(self, shown: Sequence[Shown], follows: Sequence[Shown], where: str) -> Iterator[Finding]:
        """Yield what differs; what another version of the program may word otherwise is a remark of one line."""
        if self._same_program:
            yield from (_finding(here, there, where) for here, there in _apart(shown, follows))
            return
        # Each is compared by itself: where much is worded otherwise, texts would be compared with others.
        ours, others = ([each for each in side if each.core] for side in (shown, follows))
        yield from (_finding(here, there, where) for here, there in _apart(ours, others))
        worded, today = ([each[:2] for each in side if not each.core] for side in (shown, follows))
        if worded != today:
            self.verified.partly = True
            was = self.sealed.data[PROVENANCE_KEY]["program"]
            what = f"{was} has sealed this, and words or lays out some of it otherwise: that is not compared"
            self._remark(
                what,
                "that version compares all of it, and so does this one with key, if it was signed with it",
            )


def _finding(here: Shown | None, there: Shown | None, where: str = "") -> Finding:
    """Return the finding that something is shown here which does not follow, or is not shown which follows there."""
    who = (there and there.who) or (here and here.who) or ""
    at = (here and (here.where or here.what)) or (there and there.what)
    return Finding(f"{where}{at}", who, here.text if here else "", there.text if there else "")


def _refuse_damaged(sealed: Sealed) -> None:
    """Raise FormatError for a seal or data that have not the form that they are written in.

    What the data say besides is for the reader of JSON to check, and what was computed of them is compared as it is.
    """
    seal, data = sealed.seal, sealed.data
    games = data.get("games") if isinstance(data, dict) else None
    sound = (
        isinstance(data, dict)
        and _lists_objects(games)
        and all(_lists_objects(game.get("contestants")) and isinstance(game.get("game"), dict) for game in games or ())
        and {PROVENANCE_KEY, "remarks"} <= data.keys()
        and all(isinstance(seal.get(name), str) for name in ("result", "sha256"))
        and all(isinstance(seal.get(name), list) for name in ("holds", "sums"))
        and all(isinstance(each, str) and each in HIDDEN for each in seal["holds"])
        and all(isinstance(each, list) for each in seal["sums"])
        and set(seal) <= SEAL_KEYS
        and ("signature" not in seal or _is_signature(seal["signature"]))
        and ("shows" in seal) == (seal["version"] > 1 and seal["format"] != "json")
        and isinstance(seal.get("shows", ""), str)
    )
    if sound:
        try:
            digest(data)
            return
        except ValueError:  # a number that JSON has no room for
            pass
    raise FormatError("the seal of this file is damaged", hint="copy the file again")


def _is_signature(value: object) -> bool:
    return (
        isinstance(value, dict) and value.keys() == SIGNATURE and all(isinstance(each, str) for each in value.values())
    )


def _lists_objects(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(each, dict) for each in value)


def recomputed(data: SealData) -> Result:
    """Return the result that follows from the data of a sealed file.

    Raises InputError for data that cannot be read or awarded.
    """
    for game in data["games"]:
        if game["game"].get("rulebook") not in names("rulebooks"):
            what = f"its rulebook is not one of this program, but '{game['game'].get('rulebook')}'"
            where = f"game {game['game'].get('game_id')}"
            raise InputError(what, where, "a seal needs a rulebook that everybody has")
    source = Source("data", canonical(given(data)))
    result = award_sheet(read(source, format="json"), Doubts())
    return with_boards(result, [source], "json")


def _as_sealed(today: Result, data: SealData) -> Result:
    """Return a result with what its data say of where it is from, and of what was doubtful then."""
    titles = {each.id: each.title for each in today.provenance.rulebooks}
    return replace(
        today,
        games=today.games.assign(source=[game["game"]["source"] for game in data["games"]]),
        remarks=tuple(map(_remark, data["remarks"])),
        provenance=Provenance.of_entry(data[PROVENANCE_KEY], titles),
    )


def _remark(entry: Mapping[str, Any]) -> Problem:
    """Return a remark from its entry in JSON, in a file of its own: none is left out as one too many of a file."""
    more = re.fullmatch("and [0-9]+ more remarks", entry["what"])
    place = {"where" if more else "file": entry["where"]}
    rows = Problem.rows_of(entry)
    return Problem(entry["what"], hint=entry["hint"], code=entry.get("code", ""), rows=rows, **place)


_WORDING = re.compile(r"^(provenance|remarks)\b|\.(rule|factors)$|\.values\b")
"""What of the data may be worded otherwise by another version of the program."""


def _leaves(data: SealData) -> Iterator[Shown]:
    """Yield every value of some data, with its path, and in those of a contestant with who it is."""
    for name, value in sorted(data.items()):
        if name != "games":
            yield from _values(value, name, "")
    for number, game in enumerate(data["games"]):
        for name, value in sorted(game.items()):
            if name != "contestants":
                yield from _values(value, f"{name} of game {number + 1}" if name == "game" else name, "")
        for contestant in game["contestants"]:
            for name, value in sorted(contestant.items()):
                yield from _values(value, name, who(contestant))


def _values(value: object, path: str, who: str) -> Iterator[Shown]:
    if isinstance(value, dict) and value:
        for name, each in sorted(value.items()):
            yield from _values(each, f"{path}.{name}", who)
    elif isinstance(value, list) and value:
        for number, each in enumerate(value):
            yield from _values(each, f"{path}[{number}]", who)
    else:
        yield Shown(
            path, value if isinstance(value, str) else canonical(value).decode(), who, core=not _WORDING.search(path)
        )


def who(contestant: SealData) -> str:
    """Return ``A-NS-5 Ruta Allen – Betty Camp``."""
    seat = (contestant["section"], (contestant["direction"] or "").replace("-", ""), contestant["number"])
    named = " – ".join(str(player["name"]) for player in contestant["players"] if player.get("name"))
    return " ".join(filter(None, ["-".join(filter(None, seat)), named]))


_MOST = 1_000_000
"""The most comparisons for which texts are aligned; beyond it each is compared with the one in its place."""


def _apart(shown: Sequence[Shown], follows: Sequence[Shown]) -> Iterator[tuple[Shown | None, Shown | None]]:
    """Yield what is shown and what follows where they differ, None for what only one of them has."""
    one, other = ([(each.what, each.text) for each in side] for side in (shown, follows))
    start = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    rest = min(len(one), len(other)) - start
    backwards = zip(reversed(one), reversed(other), strict=False)
    end = next((n for n, (a, b) in enumerate(backwards) if a != b or n >= rest), rest)
    middle = slice(start, len(one) - end), slice(start, len(other) - end)
    here, there = shown[middle[0]], follows[middle[1]]
    if len(here) == len(there) or len(here) * len(there) > _MOST:
        pairs = zip_longest(here, there)
        yield from (pair for pair in pairs if pair[0] is None or pair[1] is None or pair[0][:2] != pair[1][:2])
        return
    matcher = SequenceMatcher(None, one[middle[0]], other[middle[1]], autojunk=False)
    for tag, begin, stop, begins, stops in matcher.get_opcodes():
        if tag != "equal":
            yield from zip_longest(here[begin:stop], there[begins:stops])


Sign = Callable[[bytes], Mapping[str, str]]
"""What signs: it takes what to sign, and gives the signature as the seal has it."""


def sealed(result: Result, writer: Writer, *, holdings: bool = False, sign: Sign | None = None) -> bytes:
    """Return what a writer writes of a result, with its seal; it verifies, or is not made.

    holdings: whether a page may hold what its awards depend on and it does not show; none holds more than it takes.
    Raises InputError where a page would need it, and where awards do not follow from what a file holds at all.
    """
    if not writer.page:
        return _sealed(result, writer, HIDDEN, sign)
    try:
        return _sealed(result, writer, (), sign)
    except InputError:
        page = _sealed(result, writer, HIDDEN, sign)
    needed = list(HIDDEN)
    for name in HIDDEN:
        fewer = [each for each in needed if each != name]
        try:
            page, needed = _sealed(result, writer, fewer, sign), fewer
        except InputError:
            continue
    if not holdings:
        words = " and ".join(HIDDEN[name] for name in needed)
        what = f"these awards depend on what a page does not show: {words}"
        raise InputError(what, hint="holdings=True puts that into the page, for everybody to read")
    return page


def _sealed(result: Result, writer: Writer, held: Collection[str], sign: Sign | None) -> bytes:
    contents = data_of(result, writer, held)
    seal, draft = seal_of(contents, writer, held), b""
    if writer.name != "json" and writer.unseal:
        # What a page shows depends on whether it is signed, and on nothing else of its seal that is not known yet.
        unknown = {**seal, "shows": "0" * 64}
        draft = writer.write(replace(result, seal={**_signed(unknown, sign), "data": contents}))
        seal["shows"] = writer.unseal(draft)[0].sha256
    if writer.page and not sign and draft.count(b"0" * 64) == 1:  # which takes far less time than to write it again
        data = draft.replace(b"0" * 64, seal["shows"].encode())
    else:
        data = writer.write(replace(result, seal={**_signed(seal, sign), "data": contents}))
    name = result.provenance.sources[0].name if result.provenance.sources else "the result"
    verified = verify(Source(name, data))
    if not verified.passes():
        found = next(iter(verified.findings), "it cannot be written again as it is")
        raise InputError(f"this cannot be sealed, since it does not follow from its own data: {found}", file=name)
    return data


def _signed(seal: dict[str, Any], sign: Sign | None) -> dict[str, Any]:
    return {**seal, "signature": sign(signed(seal))} if sign else seal
