"""The server of a page, on this machine's own address alone.

Whoever does not have the cookie of the page sends no more than a header. That is here within seconds, and a request
within a minute, or not at all; what is refused before the pages see it is in the log, too.
"""

from __future__ import annotations

import logging
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.server import create_server
from waitress.task import ErrorTask
from waitress.utilities import Error

from resultproc.batch.naming import OPEN_PORT
from resultproc.formats.loaded import language_of
from resultproc.model.codes import code_of
from resultproc.model.errors import OutputError
from resultproc.model.language import ENGLISH, language, speak
from resultproc.model.locks import folder_held
from resultproc.model.work import make_ready
from resultproc.web.app import failure, make_app
from resultproc.web.desk import Desk
from resultproc.web.safety import LOG, MOST_BYTES, Guard, closed

SECONDS = 60
"""How long a request may take to be here."""

SECONDS_OF_HEADER = 3
"""How long its header may take: all who are on this machine may connect, and few connections fit."""

_LOCK, _PAGE = "open.lock", "open.html"


def serve(folder: Path, port: int | None, receipts: Path, opened: Callable[[str, Path], None]) -> None:
    """Serve the page of a folder until it is stopped.

    port: 0 for one that is free, None for the usual one, or a free one where that is taken.
    receipts: the file that says what was published.
    opened: gets the first address, once it answers, and a page that leads to it.

    Raises OutputError where the folder cannot be made or another page of it is open, or the port is taken.
    """
    if port is None:
        port = 0 if _answers(OPEN_PORT) else OPEN_PORT
    desk, guard = Desk.at(folder), Guard(port)
    said = language_of(desk.settings)
    asked = ENGLISH if said else language()
    speak(said or asked)
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)
    with folder_held(desk.root / _LOCK, "this folder is open in another window of resultproc open"):
        make_ready()
        server = server_of(desk, guard, receipts, asked)
        # In this folder, as some browsers may read no hidden one, and none for what is passing.
        page = desk.root / _PAGE
        with guard.leading(page):
            opened(guard.address, page)
            server.run()


def _answers(port: int) -> bool:
    """Return whether somebody is at a port of this machine; on Windows two programs may be."""
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
        return True
    return False


def server_of(desk: Desk, guard: Guard, receipts: Path, asked: str = ENGLISH) -> Any:
    """Return the server of a desk at the guard's port, which is then known; OutputError where that is taken."""
    app = make_app(desk, guard, receipts, asked)
    try:
        server: Any = create_server(
            app,
            host="127.0.0.1",
            port=guard.port,
            threads=4,
            ident="",
            channel_timeout=SECONDS,
            cleanup_interval=1,
            max_request_body_size=MOST_BYTES,
            connection_limit=200,
        )
    except OSError as error:
        what = f"the port {guard.port} cannot be used: {error.strerror}"
        raise OutputError(what, hint="leave the port out", code=code_of(error)) from None
    guard.port = int(server.effective_port)
    server.channel_class = partial(_Channel, guard)
    return server


class _Forbidden(Error):  # noqa: N818 - no exception, but an answer
    code = 403
    reason = "Forbidden"


class _Request(HTTPRequestParser):
    """A request that is read no further than its header where that lets it in nowhere."""

    def __init__(self, guard: Guard, adj: Any) -> None:
        super().__init__(adj)
        self._guard = guard

    def received(self, data: bytes) -> int:
        consumed = super().received(data)
        if self.headers_finished and not self._guard.knows(self.headers.get("COOKIE", "")):
            self.headers = {**self.headers, "CONNECTION": "close"}  # or it would keep a place of the few for a minute
            if self.body_rcv is not None and not self.error:
                self.error = _Forbidden("no cookie of this page")
        if self.error is not None:
            self.completed, self.expect_continue = True, False
        return consumed


class _Refusal(ErrorTask):
    """The answer to what the pages do not see: in their words, and in the log."""

    def execute(self) -> None:
        request: Any = self.request  # the types say that it is an error
        error = request.error
        LOG.warning("refused: %s %s", error.code, error.body)
        answer = closed(failure(error.code))
        self.status = answer.status
        self.response_headers = answer.headers.to_wsgi_list()
        self.set_close_on_finish()
        self.write(answer.get_data())


class _Channel(HTTPChannel):
    """A connection whose request has to be here in time, however slowly it drips."""

    error_task_class = _Refusal

    def __init__(self, guard: Guard, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self.parser_class: Any = partial(_Request, guard)
        self._began = time.time()
        self._ends_in(SECONDS_OF_HEADER)

    def received(self, data: bytes) -> bool:
        taken = super().received(data)
        if self.request is None:
            self._began = 0.0
        else:
            self._began = self._began or time.time()
            self._ends_in(SECONDS if self.request.headers_finished else SECONDS_OF_HEADER)
        return taken

    def _ends_in(self, seconds: int) -> None:
        """Have it closed so many seconds after its request began, unless that is here by then."""
        self.last_activity = self._began + seconds - SECONDS
