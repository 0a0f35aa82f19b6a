"""A results site on the loopback that takes files as BridgeWebs publishes it, and does what might go wrong."""

import gzip
import html
import json
import os
import random
import ssl
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import quote

import trustme

PASSWORD = "s3cret-of-the-club & <mine>"


@dataclass
class PostedSite:
    """The site: its address, what it holds by name, every form that came, and how it behaves.

    events: the calendar of every day. faults: what goes wrong with the next uploads, in turn: see ``_Handler``.
    pause: the longest that it waits before and after it stores a file, in seconds. elsewhere: where it redirects to.
    """

    address: str = ""
    events: dict[str, str] = field(default_factory=lambda: {"1": "Wednesday Pairs"})
    files: dict[str, bytes] = field(default_factory=dict)
    forms: list[dict[str, bytes]] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    faults_of_calendar: list[str] = field(default_factory=list)
    pause: float = 0
    elsewhere: str = "https://elsewhere.example/"
    stored: list[str] = field(default_factory=list)

    @property
    def host(self) -> str:
        """Its host and port."""
        return self.address.split("/")[2]

    def uploads(self) -> list[dict[str, bytes]]:
        """Return the forms that brought files."""
        return [form for form in self.forms if "data" in form]


ANSWERS = {
    "login": (200, "text/html", "<html><title>Log in</title><form>Your session has ended. Please log in</form></html>"),
    "french": (200, "text/plain", "message = Mot de passe incorrect\n"),
    "wrong password": (200, "text/plain", "message = Upload failed: invalid club or password\n"),
    "500": (500, "text/html", "<h1>Internal Server Error</h1>"),
    "403": (403, "text/html", "<h1>Forbidden</h1>"),
    "login with a script": (
        200,
        "text/html",
        "<html><script>\nmessage = Upload Successful\n</script><form>Please log in</form></html>",
    ),
    "unsuccessful": (200, "text/plain", "message = Upload Unsuccessful\n"),
    "not so": (200, "text/plain", "message = This was no Upload Successful to us\n"),
    "two messages": (200, "text/plain", "message = Upload Successful\nmessage = The file was damaged\n"),
    "without a message": (200, "text/plain", "Upload Successful\n"),
    "half a message": (200, "text/plain", "message = Upload Succ"),
    "403 that says so": (403, "text/plain", "message = Upload Successful\n"),
    "500 that says so": (500, "text/plain", "message = Upload Successful\n"),
    "password": (200, "text/plain", f"message = The password '{PASSWORD}' is wrong\n"),
    "password in a page": (500, "text/html", f"<p>{html.escape(PASSWORD)} {quote(PASSWORD)} is wrong</p>"),
    "empty": (200, "text/plain", ""),
}
"""What it answers in place of what it should."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.0"
    site: PostedSite

    def do_POST(self) -> None:
        """Take a form."""
        length = int(self.headers["Content-Length"])
        head = f"Content-Type: {self.headers['Content-Type']}\r\n\r\n".encode()
        parts = message_from_bytes(head + self.rfile.read(length)).get_payload()
        assert isinstance(parts, list)
        form = {
            str(part.get_param("name", header="content-disposition")): bytes(part.get_payload(decode=True))
            for part in parts
        }
        self.site.forms.append(form)
        calendar = b"transfer" in {name.encode() for name in form}
        faults = self.site.faults_of_calendar if calendar else self.site.faults
        fault = faults.pop(0) if faults else ""
        self._wait()
        if fault in ("", "stored, then 500", "stored, then cut") and not calendar:
            name = form["filename"].decode()
            self.site.files[name] = form["data"]
            self.site.stored.append(name)
        self._wait()
        self._answer(fault, form, calendar=calendar)

    def _wait(self) -> None:
        time.sleep(random.uniform(0, self.site.pause))

    def _answer(self, fault: str, form: Mapping[str, bytes], *, calendar: bool) -> None:
        if fault == "hang":
            time.sleep(3)
            return
        if fault in ("cut", "stored, then cut"):
            self.connection.shutdown(2)
            return
        if fault == "redirect":
            self.send_response(307)
            self.send_header("Location", self.site.elsewhere)
            self.end_headers()
            return
        if fault == "slow head":
            self._slow_head()
            return
        if fault in ("packed", "garbled"):
            data = gzip.compress(b"message = Upload Successful\n" + b"\n" * 50_000_000, 1)
            self.send_response(200)
            self.send_header("Content-Encoding", "gzip")
            self.end_headers()
            self.wfile.write(data if fault == "packed" else b"message = Upload Successful\n")
            return
        if fault in ("endless", "drip"):
            self._endless(fault)
            return
        right = form.get("password", b"").decode() == PASSWORD
        events = {each: {"title": title, "file": ""} for each, title in self.site.events.items()}
        listed = json.dumps({"events": {**events, "99": {"title": "Create New Event"}}})
        text = f"message = Download Successful\njson = {listed}\n" if calendar else "message = Upload Successful\n"
        status, kind, text = ANSWERS.get(fault.removeprefix("stored, then "), (200, "text/plain", text))
        if not right:
            status, kind, text = ANSWERS["wrong password"]
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(text.encode())

    def _endless(self, fault: str) -> None:
        self.send_response(200)
        self.end_headers()
        try:
            for _ in range(400):
                self.wfile.write(b"x" * (4096 if fault == "endless" else 1))
                time.sleep(0 if fault == "endless" else 0.02)
        except OSError:
            pass

    def _slow_head(self) -> None:
        """Answer byte by byte: no byte is waited for long, and all of them take minutes."""
        try:
            for byte in b"HTTP/1.0 200 OK\r\n" + b"X-More: yes\r\n" * 100 + b"\r\nmessage = Upload Successful\n":
                self.wfile.write(bytes([byte]))
                time.sleep(0.1)
        except OSError:
            pass

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


class _Quiet(ThreadingHTTPServer):
    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing of clients that were killed."""


@contextmanager
def posted_site(folder: Path) -> Iterator[tuple[PostedSite, dict[str, str]]]:
    """Run the site; yield it, and the environment in which its certificate and password are known."""
    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(folder / "authority.pem"))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    site = PostedSite()
    server = _Quiet(("127.0.0.1", 0), type("Handler", (_Handler,), {"site": site}))
    server.socket = context.wrap_socket(server.socket, server_side=True)
    site.address = f"https://127.0.0.1:{server.server_address[1]}/cgi-bin/bwx/api.cgi"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    variable = "RESULTPROC_PASSWORD_" + site.host.replace(".", "_").replace(":", "__3A")
    known = {
        "SSL_CERT_FILE": str(folder / "authority.pem"),
        variable: PASSWORD,
        "PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring",
    }
    try:
        yield site, {**os.environ, **known}
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def site_file(path: Path, address: str, **more: object) -> Path:
    """Write the TOML of a site that is posted to at an address; more: its keys of [send]."""
    send = "\n".join(f"{name} = {json.dumps(value)}" for name, value in {"seconds": 2, "tries": 2, **more}.items())
    path.write_text(
        f"""id = "{path.stem}"
title = "The Test Site"
address = "https://127.0.0.1"
formats = ["bridgewebs"]
sent = "post"
replaces = true
steps = ["Upload it."]
corrections = "A file of the same name replaces the first one."

[sources.page]
title = "its page"

[send]
address = "{address}"
taken = "Upload Successful"
cite = "page, the form"
{send}
"""
    )
    return path
