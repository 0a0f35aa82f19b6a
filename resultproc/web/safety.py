"""Who may use the page: this machine's own browser, in the window that the program opened, and no other site in it.

The first address has a secret, which works once and not for long. A file that only this user can read leads to it, so
that it is in no list of processes. It becomes a cookie that the browser gives to no other site; the address is then
without it. Every form has a token that follows from the cookie. A request for another host, from another origin,
without the cookie or without the token is refused, and told in the log.
"""

from __future__ import annotations

import hmac
import logging
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING
from urllib.parse import quote

from flask import Response, abort, redirect, request
from werkzeug.http import parse_cookie

from resultproc.batch.naming import FROM_FOLDER

if TYPE_CHECKING:
    from flask import Flask
    from werkzeug.wrappers import Response as AnyResponse

LOG = logging.getLogger("resultproc.web")

MOST_BYTES = 32 * 1024 * 1024
"""The most that a request may bring: larger than any club's file."""

MOST_FIELDS = 5000

KEY_NAME = "key"
"""What the secret is called in the first address."""

_SECONDS = 600
"""How long the first address works."""

_DAY = 24 * 60 * 60
_HEADERS = {
    # Other sites get no referrer. With "no-referrer" a form of this page would say "null" as its origin, as any may.
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}

_ON = """\
<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="0; url={address}">
<title>resultproc</title></head><body><p><a href="{address}">Your games</a></p></body></html>
"""
"""A page that leads to another address at once."""

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"


class Guard:
    """What lets a request in. secret: that of the first address. port: the one that the page is served at."""

    def __init__(self, port: int) -> None:
        """Make up the secret of the first address and that of the cookie."""
        self.secret = secrets.token_urlsafe(32)
        self.port = port
        self._cookie = secrets.token_urlsafe(32)
        self._until = monotonic() + _SECONDS
        self._lock = Lock()
        self._leading: Path | None = None

    @property
    def hosts(self) -> set[str]:
        """What this page is called by its own browser."""
        return {f"127.0.0.1:{self.port}", f"localhost:{self.port}"}

    @property
    def address(self) -> str:
        """The first address, with the secret."""
        return f"http://127.0.0.1:{self.port}/?{KEY_NAME}={self.secret}"

    @contextmanager
    def leading(self, path: Path) -> Iterator[None]:
        """Write a page that leads to the first address, for this user alone; it is gone once that has worked.

        Raises OSError where it cannot be written.
        """
        path.unlink(missing_ok=True)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            file.write(_ON.format(address=self.address))
        self._leading = path
        try:
            yield
        finally:
            path.unlink(missing_ok=True)

    @property
    def token(self) -> str:
        """What every form has."""
        return hmac.new(self._cookie.encode(), b"form", sha256).hexdigest()

    @property
    def _name(self) -> str:
        return f"resultproc-{self.port}"

    def protect(self, app: Flask) -> None:
        """Have every request looked at before it is answered, and every answer kept from other sites."""
        app.config.update(
            MAX_CONTENT_LENGTH=MOST_BYTES, MAX_FORM_MEMORY_SIZE=MOST_BYTES // 4, MAX_FORM_PARTS=MOST_FIELDS
        )
        app.before_request(self._admit)
        app.after_request(closed)

    def knows(self, cookies: str) -> bool:
        """Return whether the cookie of this page is among those of a request, as its header has them."""
        return hmac.compare_digest(parse_cookie(cookies).get(self._name, "").encode(), self._cookie.encode())

    def _opens(self, given: str) -> bool:
        """Return whether this is the secret, for the first time and in time."""
        with self._lock:
            opens = monotonic() < self._until and hmac.compare_digest(given.encode(), self.secret.encode())
            if opens:
                self._until = 0
                if self._leading:
                    self._leading.unlink(missing_ok=True)
        return opens

    def _admit(self) -> AnyResponse | None:
        if request.host not in self.hosts:
            _refuse(f"a request for another host, {request.host[:80]!r}")
        origin = request.headers.get("Origin")
        if origin is not None and origin not in {f"http://{host}" for host in self.hosts}:
            _refuse(f"a request from another origin, {origin[:80]!r}")
        given = request.args.get(KEY_NAME) if request.method == "GET" else None
        if given is not None and self._opens(given):
            # To the browser the file that leads here is another site: after a redirect it would not give us the cookie.
            answer = closed(Response(_ON.format(address="/"), mimetype="text/html"))
            # It is worth nothing once this program has ended.
            answer.set_cookie(self._name, self._cookie, max_age=_DAY, httponly=True, samesite="Strict", path="/")
            return answer
        if request.headers.get("Sec-Fetch-Site", "none") not in {"none", "same-origin"}:
            if request.method == "GET" and request.path == FROM_FOLDER and "file" in request.args:
                # The list of what is to be mended leads here; the page that follows only asks.
                file = quote(request.args["file"], safe="")
                return closed(Response(_ON.format(address=f"{FROM_FOLDER}?file={file}"), mimetype="text/html"))
            _refuse("a request that another site made")
        known = self.knows(request.headers.get("Cookie", ""))
        if given is not None and known:
            return redirect("/")
        if not known:
            _refuse("no cookie of this page" if given is None else "a first address that is wrong, used or too old")
        if request.method not in {"GET", "HEAD"} and not hmac.compare_digest(
            request.form.get("token", "").encode(), self.token.encode()
        ):
            _refuse("a form without the token of this page")
        return None


def _refuse(why: str) -> None:
    LOG.warning("refused: %s", why)
    abort(403)


def closed(answer: Response) -> Response:
    """Return an answer that is kept from other sites."""
    for name, value in _HEADERS.items():
        answer.headers[name] = value
    answer.headers.setdefault("Content-Security-Policy", _POLICY)
    return answer


def policy(script: str) -> str:
    """Return the policy of a page with one script, by the hash of that."""
    return f"{_POLICY}; script-src '{script}'"
