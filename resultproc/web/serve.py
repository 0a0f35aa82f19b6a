"""The server of a page, on this machine's own address alone."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path

from waitress.server import create_server

from resultproc.model.codes import code_of
from resultproc.model.errors import OutputError
from resultproc.web.app import make_app
from resultproc.web.desk import Desk
from resultproc.web.safety import MOST_BYTES, Guard


def serve(folder: Path, port: int, receipts: Path, opened: Callable[[str], None]) -> None:
    """Serve the page of a folder until it is stopped.

    port: 0 for one that is free. receipts: the file of those of what was published. opened: gets the first address,
    once it answers. Raises OutputError where the folder cannot be made, or the port is taken.
    """
    desk, guard = Desk.at(folder), Guard(port)
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)
    try:
        server = create_server(
            make_app(desk, guard, receipts),
            host="127.0.0.1",
            port=port,
            threads=4,
            ident="",
            channel_timeout=60,
            max_request_body_size=MOST_BYTES,
            connection_limit=200,
        )
    except OSError as error:
        what = f"the port {port} cannot be used: {error.strerror}"
        raise OutputError(what, hint="leave the port out", code=code_of(error)) from None
    guard.port = int(getattr(server, "effective_port", port))
    opened(guard.address)
    server.run()
