"""The results sites that are known: the built-in ones, and those of one's own.

A site is a TOML file: the built-in ones are beside this module, and anybody's own is named by its path. A site of one's
own has a name of its own: it cannot stand for a built-in one.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from resultproc.model.errors import DeclarationError, closest
from resultproc.model.game import league_of_rating
from resultproc.model.plugins import names
from resultproc.model.source import toml_content
from resultproc.publish.results_site import Demand, Sending, Site
from resultproc.publish.taken import CHECKS, check_types


def sites() -> tuple[Site, ...]:
    """Return the built-in sites."""
    return tuple(_parsed(each.read_text("utf-8"), each.name) for each in sorted(Path(__file__).parent.glob("*.toml")))


def site(name: str) -> Site:
    """Return the site of a name, or that of a TOML file of one's own.

    Raises DeclarationError, the closest name suggested, for a site that is not known; for a file that is no site; and
    for one that calls itself as a built-in site is called.
    """
    known = {each.id: each for each in sites()}
    if name in known:
        return known[name]
    if not name.endswith(".toml"):
        raise DeclarationError(f"unknown site '{name}'", hint=closest(name, known), code="site.unknown")
    try:
        text = Path(name).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise DeclarationError(f"the site cannot be read: {error}", file=name, code="site.unknown") from None
    own = _parsed(text, name)
    if own.id in known:
        what = f"'{own.id}' is a built-in site"
        raise DeclarationError(what, hint="give yours another id", file=name, code="site.wrong")
    return own


HOW_SENT = {
    "form": "uploaded by hand",
    "post": "sent by 'publish', or by hand",
    "mail": "a mail, written by 'publish'",
    "folder": "put there by 'publish'",
    "check": "no file of ours: checked here, uploaded from your own program",
}
"""The ways in which a file gets to a site, in words."""


def _parsed(text: str, file: str) -> Site:
    """Return the site that a TOML text describes; raise DeclarationError, the file named, for any other text."""
    try:
        content = toml_content(text)
        check_types(content)
        asks = {name: Demand(**said) for name, said in content.pop("asks", {}).items()}
        sources = {name: str(said["title"]) for name, said in content.pop("sources", {}).items()}
        dialects = content.pop("dialect", {})
        send = content.pop("send", None)
        if send is not None:
            send = Sending(**{**send, "refused": _texts(send.get("refused", []))})
        lists: dict[str, Any] = {name: _texts(content.pop(name, [])) for name in ("formats", "steps", "unknown")}
        found = Site(asks=asks, sources=sources, dialects=dialects, send=send, **lists, **content)
        _check(found)
    except (DeclarationError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise DeclarationError(f"this is no site: {error}", file=file, code="site.wrong") from None
    return found


def _texts(said: Sequence[Any]) -> tuple[str, ...]:
    if not isinstance(said, list) or not all(isinstance(each, str) for each in said):
        raise ValueError(f"{said!r} is no list of texts")
    return tuple(said)


def _check(site: Site) -> None:
    """Raise ValueError for what no site has: other formats, dialects, questions and ways to send than are known."""
    for name, known in ((site.sent, HOW_SENT), *((name, names("writers")) for name in site.formats)):
        if name not in known:
            raise ValueError(f"'{name}' is none of {', '.join(known)}")
    for name in site.asks:
        if name not in CHECKS:
            raise ValueError(f"unknown question '{name}'; {closest(name, CHECKS)}")
    for name, asked in site.asks.items():
        source = asked.cite.split(",")[0]
        if source not in site.sources:
            raise ValueError(f"asks.{name} cites '{source}', which is not among the sources")
    for name in site.dialects:
        if name not in site.formats:
            raise ValueError(f"[dialect.{name}] is of a format that is not among its formats")
        site.writer(name)
    if not isinstance(site.replaces, bool):
        raise ValueError("replaces is true or false")
    _check_sending(site)


def _check_sending(site: Site) -> None:
    """Raise ValueError for a place that nothing is posted to, for no rating, and for times that nobody waits."""
    if site.pays and not league_of_rating(site.pays):
        raise ValueError("pays is a rating")
    send = site.send
    if (site.sent == "post") != (send is not None):
        raise ValueError("a site that is posted to has a [send], and no other has")
    if send is None:
        return
    url = urlsplit(send.address)
    if url.scheme != "https" or not url.hostname or url.port == 0 or url.username or url.query or url.fragment:
        raise ValueError(f"send.address is '{send.address}'; write https:// and the address that takes files")
    if not isinstance(send.taken, str) or not send.taken.strip():
        raise ValueError("send.taken is what the answer says of a file that was taken")
    if not all(words.strip() for words in send.refused):
        raise ValueError("send.refused is what the answers say of a file that was not taken")
    if not 0 < send.seconds <= _LONGEST or not 0 < send.tries <= _MOST_TRIES:
        raise ValueError(f"send.seconds is at most {_LONGEST}, and send.tries at most {_MOST_TRIES}")
    if send.cite.split(",")[0] not in site.sources:
        raise ValueError(f"send cites '{send.cite}', which is not among the sources")


_LONGEST, _MOST_TRIES = 600, 10
"""The most seconds that an answer is waited for, and the most times that a site is asked."""
