"""An archive in S3, against a server on this machine, some of whose answers are that it is too busy."""

from __future__ import annotations

import json
from pathlib import Path
from threading import Thread

import pytest

pytest.importorskip("s3fs")
pytest.importorskip("moto.server")

import s3fs
from moto.server import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import make_server

from resultproc.cli import main

FIXTURES = Path(__file__).parent.parent / "fixtures"
FILES = ["wed-open-pairs-2012-04-18.csv", "made-charity.csv"]
SQL = "SELECT date, event, names, rulebook, place, masterpoints FROM awards ORDER BY ALL"


class Flaky:
    """A server that refuses every so many requests for a moment, as S3 does when there are many."""

    def __init__(self):
        self.app = DomainDispatcherApplication(create_backend_app)
        self.every = 0
        self.seen = self.refused = 0

    def __call__(self, environ, start_response):
        self.seen += 1
        if self.every and self.seen % self.every == 0:
            self.refused += 1
            environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
            start_response("503 Slow Down", [("Content-Type", "application/xml")])
            return [b"<Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>"]
        return self.app(environ, start_response)


@pytest.fixture(scope="module")
def server():
    flaky = Flaky()
    served = make_server("127.0.0.1", 0, flaky, threaded=True)
    Thread(target=served.serve_forever, daemon=True).start()
    settings = {
        "AWS_ENDPOINT_URL_S3": f"http://127.0.0.1:{served.port}",
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_CONFIG_FILE": "none",
        "AWS_SHARED_CREDENTIALS_FILE": "none",
    }
    with pytest.MonkeyPatch.context() as patch:
        for name, value in settings.items():
            patch.setenv(name, value)
        s3fs.S3FileSystem.clear_instance_cache()
        s3fs.S3FileSystem().mkdir("club")
        yield flaky
    s3fs.S3FileSystem.clear_instance_cache()
    served.shutdown()


def said(*arguments, capsys):
    """Run a command; return its exit status and what it printed."""
    try:
        main([str(each) for each in arguments])
        status = 0
    except SystemExit as stop:
        status = stop.code
    printed = capsys.readouterr()
    return status, printed.out, printed.err


@pytest.mark.slow
def test_archive_reprocess_and_query(server, tmp_path, capsys):
    files = [FIXTURES / name for name in FILES]
    server.every = 23
    answers = {}
    for root in (str(tmp_path), "s3://club"):
        archive, output = f"{root}/history", f"{root}/results"
        assert said("archive", "add", files[0], "--to", archive, capsys=capsys)[0] == 0
        status, _, told = said("archive", "add", *files, "--to", archive, capsys=capsys)
        assert "1 games added" in told
        assert "1 were there already" in told
        status, summary, told = said("reprocess", archive, "-o", output, "--where", "tables > 2", capsys=capsys)
        assert status == 0, told
        status, rows, told = said("archive", "query", output, SQL, "--to", "json", capsys=capsys)
        assert status == 0, told
        answers[root] = (summary, json.loads(rows)["rows"])  # each says of which archive it is, besides
    assert answers["s3://club"] == answers[str(tmp_path)]
    assert len(json.loads(rows)["rows"]) > 30
    assert server.refused > 2


def test_what_cannot_be_reached_is_named(server, tmp_path, capsys):
    status, _, told = said("archive", "add", FIXTURES / FILES[0], "--to", "s3://nowhere/history", capsys=capsys)
    assert (status, "nowhere/history" in told, "bug" in told) == (1, True, False)
    status, _, told = said("archive", "query", "s3://club/empty", "SELECT 1", capsys=capsys)
    assert status == 1
    assert "there are no games in this archive" in told
