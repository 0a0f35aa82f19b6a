"""The page of a folder over its real server: who is refused, before what, and in which words."""

import http.client
import io
import logging
import os
import socket
import threading
import time
import urllib.request
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, suppress
from email.message import Message
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pytest

pytest.importorskip("flask")
pytest.importorskip("waitress")

from lxml import html
from test_open import WEDNESDAY, status_of
from waitress import wasyncore

from resultproc.formats.xlsx import MAX_UNPACKED
from resultproc.model.errors import OutputError
from resultproc.web.app import make_app
from resultproc.web.desk import IN_WORK, Desk
from resultproc.web.safety import KEY_NAME, MOST_BYTES, Guard
from resultproc.web.serve import server_of


class Answer(NamedTuple):
    """What is answered to a request."""

    status: int
    headers: Message
    text: str


@contextmanager
def serving(server: Any) -> Iterator[None]:
    """Have a server answer from a thread of its own, which closes all that it has at the end.

    Its workers end first, as they still tell it what they did; and what it waits for nobody else may close.
    """
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    yield
    server.task_dispatcher.shutdown()
    with suppress(OSError):  # where it is awake anyhow it has closed all before it is called
        server.trigger.pull_trigger(partial(wasyncore.close_all, server._map))
    thread.join(20)
    assert not thread.is_alive()


class Served:
    """A desk that is served, and what its browser knows."""

    def __init__(self, folder: Path) -> None:
        self.desk, self.guard = Desk.at(folder / "club"), Guard(0)
        self.server = server_of(self.desk, self.guard, folder / "receipts.sqlite")
        self.cookie = ""

    def enter(self) -> None:
        """Let it in, as the first address does."""
        first = self.ask("GET", f"/?{KEY_NAME}={self.guard.secret}")
        self.cookie = first.headers["Set-Cookie"].split(";")[0]

    def ask(self, method: str, path: str, body: bytes | None = None, **headers: str) -> Answer:
        """Return the answer to a request."""
        with closing(http.client.HTTPConnection("127.0.0.1", self.guard.port, timeout=20)) as connection:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return Answer(answer.status, answer.headers, answer.read().decode())

    def send(self, *lines: str) -> socket.socket:
        """Return a connection that has sent these lines and an empty one."""
        connection = socket.create_connection(("127.0.0.1", self.guard.port), timeout=20)
        connection.sendall("\r\n".join([*lines, f"Host: 127.0.0.1:{self.guard.port}", "", ""]).encode())
        return connection

    def drop(self, name: str, data: bytes) -> Answer:
        """Drop a file."""
        parts = [f'name="token"\r\n\r\n{self.guard.token}\r\n'.encode()]
        parts.append(f'name="files"; filename="{name}"\r\n\r\n'.encode() + data + b"\r\n")
        body = b"".join(b"--x\r\nContent-Disposition: form-data; " + part for part in parts) + b"--x--\r\n"
        kind = "multipart/form-data; boundary=x"
        return self.ask("POST", "/games", body, Cookie=self.cookie, **{"Content-Type": kind})


@pytest.fixture
def served(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> Iterator[Served]:
    caplog.set_level(logging.WARNING, "resultproc.web")
    it = Served(tmp_path)
    with serving(it.server):
        it.enter()
        yield it


def answer_of(connection: socket.socket) -> tuple[int, str]:
    answer = http.client.HTTPResponse(connection)
    answer.begin()
    assert answer.getheader("Cache-Control") == "no-store"
    assert "default-src 'none'" in (answer.getheader("Content-Security-Policy") or "")
    with closing(answer):
        return answer.status, answer.read().decode()


def test_the_first_address_works_once_and_not_for_long(
    served: Served, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    again = served.ask("GET", f"/?{KEY_NAME}={served.guard.secret}")
    assert again.status == 403
    assert "start it again" in again.text
    assert "a first address that is wrong, used or too old" in caplog.text
    # The browser that has it comes back by the same address.
    assert served.ask("GET", f"/?{KEY_NAME}={served.guard.secret}", Cookie=served.cookie).status == 302
    assert served.ask("GET", "/", Cookie=served.cookie).status == 200
    late = Guard(8123)
    now = time.monotonic()
    monkeypatch.setattr("resultproc.web.safety.monotonic", lambda: now + 601)
    window = make_app(served.desk, late, served.desk.root / "x").test_client()
    assert window.get(f"/?{KEY_NAME}={late.secret}", base_url="http://127.0.0.1:8123").status_code == 403


def test_a_file_that_only_this_user_reads_leads_to_the_first_address(tmp_path: Path) -> None:
    desk, guard, page = Desk.at(tmp_path / "club"), Guard(0), tmp_path / "open.html"
    page.write_text("of a program that was killed", "utf-8")
    server = server_of(desk, guard, tmp_path / "receipts.sqlite")
    with serving(server), guard.leading(page):
        assert page.stat().st_mode & 0o077 == 0 or os.name == "nt"
        (link,) = html.document_fromstring(page.read_text("utf-8")).xpath("//a/@href")
        assert status_of(link.replace(guard.secret, "wrong")) == 403
        assert page.exists()
        # As a browser asks, to which a file is another site.
        asked = urllib.request.Request(link, headers={"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"})
        assert urllib.request.urlopen(asked).status == 200
        assert not page.exists()
    with guard.leading(page):
        pass
    assert not page.exists()


@pytest.mark.parametrize("expects", [(), ("Expect: 100-continue",)])
def test_what_is_too_large_is_refused_by_its_header(
    served: Served, caplog: pytest.LogCaptureFixture, expects: tuple[str, ...]
) -> None:
    lines = ("POST /games HTTP/1.1", f"Cookie: {served.cookie}", f"Content-Length: {100 * 1024**2}", *expects)
    with served.send(*lines) as connection:
        status, text = answer_of(connection)
    assert status == 413
    assert "32 MB are the most" in text
    assert "refused: 413" in caplog.text
    assert not list(served.desk.games())


def test_a_stream_that_is_too_large_is_refused(served: Served, caplog: pytest.LogCaptureFixture) -> None:
    lines = ("POST /games HTTP/1.1", f"Cookie: {served.cookie}", "Transfer-Encoding: chunked")
    with served.send(*lines) as connection:
        piece = b"100000\r\n" + b"x" * 2**20 + b"\r\n"
        with suppress(OSError):  # it is closed as soon as it is too much
            for _ in range(MOST_BYTES // 2**20 + 1):
                connection.sendall(piece)
        deadline = time.monotonic() + 10
        while "refused: 413" not in caplog.text and time.monotonic() < deadline:
            time.sleep(0.02)
    assert "refused: 413" in caplog.text
    assert not list(served.desk.games())


@pytest.mark.parametrize("cookie", ["", "Cookie: resultproc-1=x"])
def test_nothing_but_a_header_is_read_of_who_has_no_cookie(
    served: Served, caplog: pytest.LogCaptureFixture, cookie: str
) -> None:
    lines = ("POST /games HTTP/1.1", f"Content-Length: {MOST_BYTES - 1}", *filter(None, [cookie]))
    with served.send(*lines) as connection:  # and nothing of the body
        status, text = answer_of(connection)
    assert status == 403
    assert "start it again" in text
    assert "refused: 403 no cookie of this page" in caplog.text


def test_what_is_no_request_is_refused(served: Served, caplog: pytest.LogCaptureFixture) -> None:
    with served.send("GET / HTTP/1.1", "a header without a colon") as connection:
        status, text = answer_of(connection)
    assert status == 400
    assert "no request that a page of resultproc makes" in text
    assert "refused: 400" in caplog.text
    with served.send("GET / HTTP/1.1", f"X: {'x' * 300_000}") as connection:
        assert answer_of(connection)[0] == 431


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a server wait no more than a second for what is to come."""
    monkeypatch.setattr("resultproc.web.serve.SECONDS", 1)
    monkeypatch.setattr("resultproc.web.serve.SECONDS_OF_HEADER", 1)


@pytest.mark.slow
def test_what_drips_is_ended(quick: None, served: Served) -> None:
    lines = ("POST /games HTTP/1.1", f"Cookie: {served.cookie}", "Content-Length: 1000")
    ended = []
    for began in (served.send(*lines), socket.create_connection(("127.0.0.1", served.guard.port))):
        with began as connection:
            start = time.monotonic()
            try:
                while time.monotonic() < start + 8:
                    connection.sendall(b"x")
                    time.sleep(0.1)
            except OSError:
                ended.append(time.monotonic() - start)
    assert len(ended) == 2
    assert served.ask("GET", "/", Cookie=served.cookie).status == 200


def test_only_who_has_the_cookie_keeps_a_connection(served: Served) -> None:
    answers = served.ask("GET", "/"), served.ask("GET", "/", Cookie=served.cookie)
    assert [each.headers["Connection"] for each in answers] == ["close", None]


@pytest.mark.slow
@pytest.mark.parametrize("rest", [b"", b"Host: x\r\n\r\n"])
def test_connections_that_say_nothing_keep_nobody_out_for_long(served: Served, rest: bytes) -> None:
    start = time.monotonic()
    with ExitStack() as opened:
        for _ in range(250):
            connection = opened.enter_context(socket.create_connection(("127.0.0.1", served.guard.port)))
            connection.sendall(b"GET / HTTP/1.1\r\n" + rest)
        assert served.ask("GET", "/", Cookie=served.cookie).status == 200
    assert time.monotonic() - start < 15


@pytest.mark.parametrize(
    "path", ["/results/a%00b", "/results/%00", "/games/%00", "/series/%00", "/%00", f"/results/{'a' * 300}"]
)
def test_an_address_that_no_file_can_have_is_not_there(served: Served, path: str) -> None:
    assert served.ask("GET", path, Cookie=served.cookie).status == 404


def test_a_name_as_long_as_it_likes_is_kept_and_what_cannot_be_kept_leaves_nothing(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = served.drop("\N{GRINNING FACE}" * 70 + ".csv", WEDNESDAY.read_bytes()).headers["Location"]
    assert place
    assert served.ask("GET", place, Cookie=served.cookie).status == 200
    there = list((served.desk.root / IN_WORK).iterdir())
    assert len(there) == 1

    def full(*_: object) -> None:
        raise OutputError("it cannot be written: No space left on device")

    monkeypatch.setattr("resultproc.web.desk.write_bytes", full)
    assert served.drop("wed.csv", WEDNESDAY.read_bytes()).status == 409
    assert list((served.desk.root / IN_WORK).iterdir()) == there


@pytest.mark.slow
def test_a_zip_bomb_and_a_settings_file_are_each_in_the_log(served: Served, caplog: pytest.LogCaptureFixture) -> None:
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", b"\0" * (MAX_UNPACKED + 1))
    place = served.drop("bomb.xlsx", bomb.getvalue()).headers["Location"]
    assert place
    assert "cannot be read" in served.ask("GET", place, Cookie=served.cookie).text
    assert "not read: bomb.xlsx: " in caplog.text
    assert "club&#39;s settings" in served.drop("../ResultProc.TOML", b"[site.x]\n").text
    assert "refused: ResultProc.TOML" in caplog.text
    assert [path.name for path in served.desk.root.iterdir() if path.is_file()] == []


def test_many_at_once_lose_nothing(served: Served, caplog: pytest.LogCaptureFixture) -> None:
    def drop(number: int) -> int:
        if number % 2:
            return served.ask("POST", "/games", b"x" * 1000).status
        return served.drop(f"wed{number}.csv", WEDNESDAY.read_bytes()).status

    with ThreadPoolExecutor(20) as many:
        statuses = list(many.map(drop, range(40)))
    assert statuses == [303, 403] * 20
    assert sorted(game.name for game in served.desk.games()) == sorted(f"wed{n}.csv" for n in range(0, 40, 2))
    assert caplog.text.count("refused: 403") == 20
