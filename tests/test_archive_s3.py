"""An archive in S3, against a server on this machine, some of whose answers are that it is too busy."""

import json
from shutil import copytree, ignore_patterns
from threading import Thread

import pytest
from batches import two_workers
from conftest import FIXTURES, PROJECT, needs_library, run
from test_archive_history import game, tops
from werkzeug.serving import make_server

from resultproc.archive.add import add
from resultproc.archive.history import history, verify_archive
from resultproc.archive.persons import say_of_people
from resultproc.archive.store import Store
from resultproc.archive.table import compact

needs_library("s3fs")
needs_library("moto")
needs_library("deltalake")

FILES = ["wed-open-pairs-2012-04-18.csv", "made-charity.csv"]
SQL = "SELECT date, event, names, rulebook, place, masterpoints FROM awards ORDER BY ALL"


class Flaky:
    """A server that refuses every so many requests for a moment, as S3 does when there are many."""

    def __init__(self):
        from moto.server import DomainDispatcherApplication, create_backend_app

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
    from s3fs import S3FileSystem

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
        # Who is refused for a moment waits up to a second, and twice as long the next time.
        patch.setattr("botocore.retryhandler.delay_exponential", lambda **of: 0.01)
        S3FileSystem.clear_instance_cache()
        S3FileSystem().mkdir("club")
        yield flaky
        flaky.every = 0
        S3FileSystem().rm("club", recursive=True)  # what is stored outlasts the server, in this process
    S3FileSystem.clear_instance_cache()
    served.shutdown()


@pytest.mark.slow
def test_archive_reprocess_and_query(server, tmp_path):
    files = [FIXTURES / name for name in FILES]
    server.every = 23
    answers = {}
    for root in (str(tmp_path), "s3://club"):
        archive, output = f"{root}/history", f"{root}/results"
        add(files[:1], Store(archive))
        status, _, told = run("archive", "add", *files, "--to", archive)
        assert "1 games added" in told
        assert "1 were there already" in told
        status, summary, told = run("reprocess", archive, "-o", output, "--where", "tables > 2")
        assert status == 0, told
        status, rows, told = run("archive", "query", output, SQL, "--to", "json")
        assert status == 0, told
        answers[root] = (summary, json.loads(rows)["rows"])  # each says of which archive it is, besides
    assert answers["s3://club"] == answers[str(tmp_path)]
    assert len(json.loads(rows)["rows"]) > 30
    assert server.refused > 2


def other_tables(folder):
    """Make a copy of the program with another rate for club games; return where it is."""
    copytree(PROJECT / "resultproc", folder / "other" / "resultproc", ignore=ignore_patterns("docs"))
    table = folder / "other" / "resultproc" / "rulebooks" / "acbl_club" / "club.toml"
    text = table.read_text("utf-8")
    table.write_text(text.replace("value = 0.10", "value = 0.11", 1), "utf-8")
    assert table.read_text("utf-8") != text
    return str(folder / "other")


@pytest.mark.slow
def test_a_worker_with_other_tables_is_refused_by_name(server, tmp_path):
    pytest.importorskip("distributed")
    server.every = 0
    with two_workers(tmp_path, other_tables(tmp_path)) as (scheduler, _):
        archive, output = "s3://club/mixed/history", "s3://club/mixed/results"
        assert add([FIXTURES / FILES[0]], Store(archive)).games == 1
        status, _, told = run("reprocess", archive, "-o", output, "--scheduler", scheduler)
        assert status == 6
        assert told.count("worker tcp://") == 1
        assert "this worker has other tables than this run: acbl-2017, acbl-club," in told
        assert Store(output).read_text("settings.json") is None


@pytest.mark.slow
def test_what_cannot_be_reached_is_named(server, tmp_path):
    status, _, told = run("archive", "add", FIXTURES / FILES[0], "--to", "s3://nowhere/history")
    assert (status, "nowhere/history" in told, "bug" in told) == (6, True, False), told
    status, _, told = run("archive", "query", "s3://club/empty", "SELECT 1")
    assert status == 1
    assert "there are no games in this archive" in told


@pytest.mark.slow
def test_who_lacks_credentials_need_not_try_again(server, tmp_path, monkeypatch):
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    from s3fs import S3FileSystem

    S3FileSystem.clear_instance_cache()  # which have credentials
    done = run("archive", "list", "s3://club/history", "--errors", "json")
    S3FileSystem.clear_instance_cache()
    assert done.status == 6
    (told,) = map(json.loads, done.err.splitlines())
    assert told["code"] == "machine.permission"
    assert "credentials" in told["what"]


@pytest.mark.slow
def test_small_files_are_put_together(server, tmp_path, monkeypatch):
    """As on a disk: the same history, and the same games."""
    inbox = tmp_path / "in"
    inbox.mkdir()
    files = [game(inbox, f"{name}.csv", name=name, top=top) for name, top in (("a", 40), ("b", 41))]
    server.every = 11
    server.refused = 0
    told = []
    for root in (str(tmp_path), "s3://club/nights"):
        store = Store(f"{root}/history")
        for number, file in enumerate(files):
            monkeypatch.setenv("SOURCE_DATE_EPOCH", str(1_000_000_000 + number))
            add([file], store)
        before = history(store).drop(columns=["part", "row"]).to_dict("records")
        assert compact(store) == (2, 1)
        assert history(store).drop(columns=["part", "row"]).to_dict("records") == before
        assert tops(store) == [40, 41]
        assert len(store.parts("games")) == 3  # the two stay for a week
        assert verify_archive(store)[:3] == (1, 2, [])
        told.append(before)
    assert told[0] == told[1]
    assert server.refused


@pytest.mark.slow
def test_two_machines_that_add_at_once_add_what_both_have(server, tmp_path, monkeypatch):
    """The other one adds all of its games just before this one commits; nobody has to run again."""
    server.every = 0
    mine, others = (game(tmp_path, f"{name}.csv", name=name, top=top) for name, top in (("a", 40), ("b", 41)))
    store = Store("s3://club/both")
    import resultproc.archive.table as table

    true = table._committed

    def late(*arguments):
        monkeypatch.setattr(table, "_committed", true)
        assert add([others], store).games == 1
        return true(*arguments)

    monkeypatch.setattr(table, "_committed", late)
    done = run("archive", "add", mine, others, "--to", store.url)
    assert done.status == 0, done.err + done.out
    assert "1 games added, 1 were there already" in done.err
    assert tops(store) == [40, 41]
    assert verify_archive(store)[2] == []


def test_what_two_say_of_people_at_once_is_there(server, monkeypatch):
    store, read = Store("s3://club/said"), Store.read_text
    said = [{"player": name, "member": "", "club": "", "is": number} for name, number in (("Ann", "1"), ("Bob", "2"))]

    def read_and_overtaken(store, name):
        text = read(store, name)
        monkeypatch.setattr(Store, "read_text", read)  # once
        say_of_people(store, said[:1])
        return text

    for _ in ("where there is no file yet", "where there is one"):
        monkeypatch.setattr(Store, "read_text", read_and_overtaken)
        say_of_people(store, said[1:])
        assert store.read_text("aliases.csv") == "player,member,club,is\nAnn,,,1\nBob,,,2\n"
