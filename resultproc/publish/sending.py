"""How a file gets to a site: posted, put into a folder, or written for somebody to upload or to mail."""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from email.message import EmailMessage
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import quote
from uuid import uuid4

from resultproc.model.errors import DeclarationError, InputError, OutputError
from resultproc.model.files import PARTIAL, write_bytes
from resultproc.publish.account import Password, password, required
from resultproc.publish.parcel import Parcel
from resultproc.publish.receipts import BEGUN, FAILED, READY, REFUSED, SENT


@dataclass(frozen=True)
class SiteAnswer:
    """What became of a file, by the words of :mod:`resultproc.publish.receipts`, and what the site said.

    BEGUN: nobody can tell whether it arrived.
    """

    state: str
    words: str


class Sender(ABC):
    """What brings the files of one site there."""

    target: str
    """The club's name, folder or address there."""

    def addressed(self, parcel: Parcel) -> Parcel:
        """Return a parcel with the name that it has at the site: that of its results file, or what the user says."""
        return parcel

    @abstractmethod
    def address(self, parcel: Parcel) -> str:
        """Return where a parcel is put: two that have one place would replace each other."""

    @abstractmethod
    def request(self, parcel: Parcel) -> Iterator[str]:
        """Yield, in lines, all that would be sent but the password."""

    @abstractmethod
    def send(self, parcel: Parcel) -> SiteAnswer:
        """Send a parcel, once."""

    def is_there(self, name: str, sha256: str) -> bool | None:
        """Return whether the site has a file of a name with a content; None where that cannot be seen, as here."""
        return None

    def refuse_other(self, parcel: Parcel) -> None:
        """Raise OutputError where a file of another content has the parcel's name: one that somebody put there."""
        if _content_at(self.address(parcel)) not in (None, self.content(parcel)):
            what = "another file is there, and is not overwritten"
            hint = "publish under another name, or to another folder"
            raise OutputError(what, hint=hint, file=self.address(parcel), code="output.exists")

    def content(self, parcel: Parcel) -> bytes:
        """Return the content of the file that stands for a parcel there."""
        return parcel.data


_LONGEST_ANSWER = 256 * 1024
_SHOWN = 300
"""The most bytes of an answer that are read, and the most characters of it that are told."""


def cleaned(text: str) -> str:
    """Return what a site says, without tags, in one short line."""
    plain = " ".join(re.sub(r"<[^>]*>", " ", text).split())
    return plain if len(plain) <= _SHOWN else f"{plain[:_SHOWN]}..."


class Post(Sender):
    """Posts files as BridgeWebs publishes it (bridgewebs.com/guide/_api_interface.html): a form of named texts."""

    def __init__(self, parcel: Parcel, *, asks: bool = True) -> None:
        """Make what posts to a parcel's site. asks: whether the site may be asked for its calendar.

        Raises DeclarationError where the user says no club.
        """
        assert parcel.site.send is not None
        self._asks = asks
        self.target = required(parcel.account, parcel.site, "club")
        self._site, self._send, self._account = parcel.site, parcel.site.send, parcel.account
        self._password: Password | None = None
        self._events: dict[str, dict[str, str]] = {}
        self._event: dict[str, str] = {}
        self._silent = ""
        """Why it has told no calendar: then it is not asked again in this run."""

    def addressed(self, parcel: Parcel) -> Parcel:
        """Return a parcel that is called by its day and the event of the site's calendar, unless the user named it.

        To ask for the calendar changes nothing there.
        """
        self._event[parcel.game] = self._event_of(parcel)
        if parcel.named:
            return parcel
        stem = "_".join(filter(None, (parcel.date, self._event[parcel.game])))
        return replace(parcel, stem=stem, ending=PurePosixPath(f"x{parcel.ending}").suffix)

    def _event_of(self, parcel: Parcel) -> str:
        """Return the id of a game's event in the site's calendar, empty where that day has none.

        Raises DeclarationError where it has several, and none or more than one is called as the game is.
        """
        if not self._asks:
            return "N"  # which stands for an id
        if parcel.date not in self._events:
            self._events[parcel.date] = self._calendar(parcel.date)
        events = self._events[parcel.date]
        called = [id for id, title in events.items() if f" {_bare_words(title)} " in f" {_bare_words(parcel.title)} "]
        found = list(events) if len(events) == 1 else called
        if not events or len(found) == 1:
            return found[0] if found else ""
        titles = ", ".join(f"'{title}'" for title in events.values())
        what = f"the calendar of {self._site.title} has several events on that day: {titles}"
        raise DeclarationError(what, hint="declare the event by its name there", file=parcel.file)

    def _day(self, day: str) -> dict[str, str | bytes]:
        return {"type": "upload", "transfer": "events", "date": day, "format": "json"}

    def _calendar(self, day: str) -> dict[str, str]:
        """Return the ids and titles of a day's events. Asking changes nothing: it is tried again, with longer pauses.

        Raises InputError, again.network, where the site gives no calendar.
        """
        for tried in range(0 if self._silent else self._send.tries):
            time.sleep((2**tried - 1) / 2)
            answer = self._post(self._day(day))
            with suppress(ValueError):
                return _events(answer.words) if answer.state == SENT else _events("")
            self._silent = cleaned(answer.words) or "there is no answer"
            if answer.state == REFUSED or (answer.state == SENT and _messages(answer.words)):
                what = f"{self._site.title} refuses to tell its calendar: {self._silent}"
                raise InputError(what, hint="correct what it says", code="site.refuses")
        what = f"{self._site.title} does not tell its calendar: {self._silent}"
        raise InputError(what, hint="try again later", code="again.network")

    def _fields(self, parcel: Parcel) -> dict[str, str | bytes]:
        event = self._event.get(parcel.game, "")
        fields: dict[str, str | bytes] = {"type": "upload", "filename": parcel.name}
        fields |= {"event_id": event} if event else {}
        fields["data"] = parcel.data
        if parcel.deals:
            fields |= {"dealname": parcel.stem + parcel.deals[0], "dealdata": parcel.deals[1]}
        return fields

    def address(self, parcel: Parcel) -> str:
        """Return the site's address, the club's name there, and that of the file."""
        return f"{self._send.address}?club={self.target} {parcel.name}"

    def request(self, parcel: Parcel) -> Iterator[str]:
        """Yield the fields of both forms: what asks for the calendar, and what sends the results."""
        for fields in (self._day(parcel.date), self._fields(parcel)):
            yield f"POST {self._send.address}?club={self.target}"
            for name, value in {"club": self.target, "password": "(not shown)", **fields}.items():
                if isinstance(value, str):
                    yield f"{name} = {value}"
                else:
                    yield f"{name} ="
                    yield from (f"    {line}" for line in value.decode("utf-8", "replace").splitlines())

    def send(self, parcel: Parcel) -> SiteAnswer:
        """Post a parcel; what was sent in part is not sent again."""
        answer = SiteAnswer(FAILED, "")
        for tried in range(self._send.tries):
            time.sleep((2**tried - 1) / 2)
            answer = self._post(self._fields(parcel))
            if answer.state != FAILED:
                break
        if answer.state != SENT:
            return replace(answer, words=cleaned(answer.words))
        said = _messages(answer.words)
        if not said:
            return SiteAnswer(BEGUN, f"it answers without saying what happened: {cleaned(answer.words)}")
        taken = all(each.casefold().startswith(self._send.taken.casefold()) for each in said)
        words = "; ".join(said)
        # Where a second file replaces the first one, nothing is lost by sending it again.
        known = self._site.replaces or any(each.casefold() in words.casefold() for each in self._send.refused)
        return SiteAnswer(SENT if taken else REFUSED if known else BEGUN, cleaned(words))

    def refuse_other(self, parcel: Parcel) -> None:
        """Refuse nothing, as the site does not say which files it has."""

    def _post(self, fields: Mapping[str, str | bytes]) -> SiteAnswer:
        """Return the site's answer to a form, without the password; FAILED where nothing was sent, BEGUN where it may
        have been.
        """
        self._password = self._password or password(self._site, self._account)
        form = {"club": self.target, "password": self._password.text, **fields}
        files = {name: (None, value) for name, value in form.items()}
        answer = _asked(
            self._send.address, self._send.seconds, _LONGEST_ANSWER, params={"club": self.target}, files=files
        )
        return replace(answer, words=self._password.masked(answer.words))


def _asked(address: str, seconds: float, longest: int, method: str = "POST", **content: Any) -> SiteAnswer:
    """Return what an address answers: SENT if it answers as it should, FAILED where nothing was sent.

    seconds: how long all of it may take. longest: the most bytes that are read.
    """
    import httpx

    async def whole() -> SiteAnswer:
        limits = httpx.Timeout(seconds, connect=min(10, seconds / 2))
        async with (
            asyncio.timeout(seconds),
            httpx.AsyncClient(timeout=limits, follow_redirects=False) as client,
            client.stream(method, address, **content) as answer,
        ):
            text = b""
            async for part in answer.aiter_bytes():
                text += part
                if len(text) > longest:
                    return SiteAnswer(BEGUN, "its answer does not end")
            words = text.decode(answer.encoding or "utf-8", "replace")
            if answer.is_redirect:
                what = f"it answers with another address ({answer.status_code}), which is not followed"
                return SiteAnswer(BEGUN, what)
            if answer.is_success:
                return SiteAnswer(SENT, words)
            state = REFUSED if answer.is_client_error else BEGUN  # what the site says is wrong with the question
            return SiteAnswer(state, f"HTTP {answer.status_code} {answer.reason_phrase}: {words}")

    try:
        return asyncio.run(whole())
    except (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout) as error:
        return SiteAnswer(FAILED, f"it cannot be reached: {error}")
    except (httpx.TimeoutException, TimeoutError):
        return SiteAnswer(BEGUN, "it does not answer in time")
    except httpx.HTTPError as error:
        return SiteAnswer(BEGUN, f"the connection broke off: {error}")


def _messages(text: str) -> list[str]:
    """Return what an answer says has happened; a page, such as one to log in, says nothing."""
    if re.search(r"(?i)<(!doctype|html|form|script)\b", text):
        return []
    return re.findall(r"(?im)^\s*message\s*=[ \t]*(\S.*?)\s*$", text)


def _events(text: str) -> dict[str, str]:
    """Return the ids and titles in a calendar: JSON, alone or in a line ``json = ...``; raise ValueError for others."""
    line = re.search(r"(?m)^\s*json\s*=[ \t]*(\{.*)$", text)
    content = json.loads(line[1] if line else text)
    events = content.get("events") if isinstance(content, dict) else None
    if isinstance(events, list):
        events = {str(each.get("id", each.get("event_id"))): each for each in events if isinstance(each, dict)}
    if not isinstance(events, dict):
        raise ValueError("there are no events in it")
    titles = {id: str(each.get("title", "")) if isinstance(each, dict) else str(each) for id, each in events.items()}
    # The last one of every day in the calendar is none.
    return {id: title for id, title in titles.items() if _bare_words(title) != "create new event"}


def _bare_words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


class FolderSender(Sender):
    """Puts files into a folder: here, or wherever fsspec reaches."""

    def __init__(self, parcel: Parcel) -> None:
        """Make what puts files into the folder of a site. Raises DeclarationError where the user says none."""
        self.target = required(parcel.account, parcel.site, "folder")

    def request(self, parcel: Parcel) -> Iterator[str]:
        """Yield where the file is put."""
        yield f"{len(parcel.data)} bytes to {self.address(parcel)}"

    def address(self, parcel: Parcel) -> str:
        """Return the path or location of its file."""
        return self._location(parcel.name)

    def _location(self, name: str) -> str:
        return (
            f"{self.target.rstrip('/')}/{name}" if _is_far(self.target) else str(Path(self.target).expanduser() / name)
        )

    def send(self, parcel: Parcel) -> SiteAnswer:
        """Put a file, whole, and read it back; folders are made below that of the site, which has to be there."""
        location = self.address(parcel)
        folder, below, _ = parcel.name.rpartition("/")
        try:
            if below:
                with _reached(self._location(folder), "made") as (system, path):
                    if system:
                        system.makedirs(path, exist_ok=True)
                    elif Path(self._location("")).is_dir():
                        Path(path).mkdir(parents=True, exist_ok=True)
            put_file(location, parcel.data)
        except OutputError as error:
            return SiteAnswer(FAILED, str(error))
        if _content_at(location) != parcel.data:
            return SiteAnswer(BEGUN, f"{location} is not as it was written")
        page = parcel.account.page
        return SiteAnswer(SENT, f"{location}; {_seen(page, parcel)}" if page else location)

    def is_there(self, name: str, sha256: str) -> bool | None:
        """Return whether a file is there with a content."""
        there = _content_at(self._location(name))
        return there is not None and hashlib.sha256(there).hexdigest() == sha256

    def has(self, name: str) -> bool:
        """Return whether a file is there."""
        return _content_at(self._location(name)) is not None

    def remove(self, name: str) -> None:
        """Remove a file. Raises OutputError."""
        with _reached(self._location(name), "removed") as (system, path):
            system.rm_file(path) if system else Path(path).unlink()


def _seen(page: str, parcel: Parcel) -> str:
    """Return whether a page shows what was put there: it is read as anybody can read it."""
    address = f"{page.rstrip('/')}/{quote(parcel.name)}"
    answer = _asked(address, 30, len(parcel.data), "GET")
    if answer.state == SENT and answer.words == parcel.data.decode("utf-8", "replace"):
        return f"{address} shows it as it was written"
    said = "" if answer.state == SENT else f" ({cleaned(answer.words)})"
    return f"{address} does not show it so{said}: look at it"


def put_file(location: str, data: bytes) -> None:
    """Write a file, whole or not at all, to a path or a location that fsspec knows; raise OutputError."""
    with _reached(location, "written") as (system, path):
        if system:
            beside = str(PurePosixPath(path).with_name(f".{uuid4().hex}{PARTIAL}"))
            system.pipe_file(beside, data)
            system.mv(beside, path)
        elif not Path(path).parent.is_dir():
            raise OutputError("there is no such folder", hint="make it first", file=str(Path(path).parent))
        else:
            write_bytes(Path(path), data)


def _is_far(location: str) -> bool:
    return "://" in location


@contextmanager
def _reached(location: str, done: str) -> Iterator[tuple[Any, str]]:
    """Give fsspec's system of a location, None for a path here, and the path in it; OutputError for what goes wrong.

    done: what is done there.
    """
    try:
        if _is_far(location):
            import fsspec

            system, path = fsspec.core.url_to_fs(location)
            yield system, str(path)
        else:
            yield None, location
    except OutputError:
        raise
    except Exception as error:  # file systems have errors of their own
        raise OutputError(f"it cannot be {done}: {error}", file=location, code="again.network") from None


def _content_at(location: str) -> bytes | None:
    """Return what is in a path or a location that fsspec knows; None where nothing is."""
    with suppress(OutputError), _reached(location, "read") as (system, path):
        if not system:
            return Path(path).read_bytes()
        system.invalidate_cache()
        return bytes(system.cat_file(path))
    return None


class Written(Sender):
    """Writes the file for somebody to upload, or as a mail for the club's own mail program."""

    def __init__(self, parcel: Parcel, folder: Path) -> None:
        """Make what writes files into a folder. Raises DeclarationError where a mail has no address."""
        self._mails = parcel.site.sent == "mail"
        self.target = required(parcel.account, parcel.site, "mail") if self._mails else str(folder)
        self._folder = folder

    def request(self, parcel: Parcel) -> Iterator[str]:
        """Yield where the file is written."""
        to = f", a mail to {self.target}" if self._mails else ""
        yield f"{len(parcel.data)} bytes to {self.address(parcel)}{to}"

    def address(self, parcel: Parcel) -> str:
        """Return the path of the file, which names the site: another one takes the same game in another form."""
        site = "" if parcel.named else f"-{parcel.site.id}"
        return str(self._folder / (parcel.stem + site + (".eml" if self._mails else parcel.ending)))

    def send(self, parcel: Parcel) -> SiteAnswer:
        """Write the file."""
        path = self.address(parcel)
        write_bytes(Path(path), self.content(parcel))
        return SiteAnswer(READY, path)

    def content(self, parcel: Parcel) -> bytes:
        """Return what is uploaded: the file, or the mail that it is attached to."""
        if not self._mails:
            return parcel.data
        mail = EmailMessage()  # which a mail program opens as one to be sent
        mail["To"], mail["Subject"], mail["X-Unsent"] = self.target, cleaned(parcel.title) or parcel.stem, "1"
        mail.set_content(f"The results of {parcel.title} are attached.\n")
        mail.add_attachment(parcel.data, maintype="application", subtype="octet-stream", filename=parcel.name)
        # The line between the parts is made from chance otherwise: the same game gives the same mail.
        mail.set_boundary(f"={parcel.sha256[:32]}=")
        return mail.as_bytes()

    def is_there(self, name: str, sha256: str) -> bool | None:
        """Return False: what was written for somebody to upload is written again."""
        return False


def sender(parcel: Parcel, folder: Path, *, asks: bool = True) -> Sender:
    """Return what brings a parcel to its site.

    folder: for files that somebody uploads or mails.
    asks: whether the site may be asked anything.

    Raises DeclarationError where the user does not say what it takes, and for a site that takes no file of ours.
    """
    if parcel.site.sent == "post":
        return Post(parcel, asks=asks)
    return FolderSender(parcel) if parcel.site.sent == "folder" else Written(parcel, folder)
