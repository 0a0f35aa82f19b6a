"""What every test runs with."""

import gc
import json
import os
import pickle
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import redirect_stderr, redirect_stdout, suppress
from importlib import import_module
from importlib.machinery import SourceFileLoader
from importlib.util import find_spec, module_from_spec, spec_from_loader
from io import BytesIO, TextIOWrapper
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple
from unittest.mock import patch

import pandas as pd
import pytest
from hypothesis import HealthCheck, settings

from resultproc.cli import main
from resultproc.model import work
from resultproc.model.file_limits import FileLimits
from resultproc.model.language import ENGLISH, speak

pytest_plugins = ["browser"]

PROJECT = Path(__file__).parent.parent
FIXTURES = PROJECT / "fixtures"

ALL = bool(os.environ.get("RESULTPROC_ALL"))
"""Whether all is tried that there is; otherwise some of it, as it takes hours."""


def examples(most: int) -> settings:
    """Return how a property is tried: on so many examples where all is tried, and else on a fifth of them."""
    few = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
    return settings(max_examples=most if ALL else -(-most // 5), deadline=None, suppress_health_check=few)


def as_module(script: Path) -> ModuleType:
    """Return a script as a module."""
    loader = SourceFileLoader(script.name.replace("-", "_"), str(script))
    spec = spec_from_loader(loader.name, loader)
    assert spec is not None
    module = module_from_spec(spec)
    sys.path.insert(0, str(script.parent))  # as for a script that is run
    sys.modules[loader.name] = module
    try:
        loader.exec_module(module)
    finally:
        sys.path.remove(str(script.parent))
    return module


class Run(NamedTuple):
    """What a command has done: its exit status, and what it wrote on standard output and standard error."""

    status: int
    out: str
    err: str

    @property
    def printed(self) -> str:
        """Its standard output, where it has done what it should."""
        assert self.status == 0, self.err
        return self.out


def run(*arguments: object, given: bytes = b"") -> Run:
    """Run the command line as the console script does, but in this process; given: its standard input."""
    out, err = (TextIOWrapper(BytesIO(), "utf-8", newline="", write_through=True) for _ in range(2))
    status: object = 0
    with redirect_stdout(out), redirect_stderr(err), patch("sys.stdin", TextIOWrapper(BytesIO(given), "utf-8")):
        try:
            main([*map(str, arguments)])
        except SystemExit as stop:
            status = stop.code
    return Run(int(status or 0), *(stream.buffer.getvalue().decode() for stream in (out, err)))


def asked(location: object, sql: str, *options: object) -> list[dict[str, Any]]:
    """Return the rows that an archive, or what a run has awarded, answers a question in SQL with."""
    return list(json.loads(run("archive", "query", location, sql, "--to", "json", *options).printed)["rows"])


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Go to a folder that has the fixtures of the project."""
    (tmp_path / "fixtures").symlink_to(FIXTURES)
    monkeypatch.chdir(tmp_path)
    # conform starts the command itself.
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    return tmp_path


@pytest.fixture(scope="module")
def awarded(history: Path) -> Path:
    """Return the folder of what a run has awarded the games of a module's archive."""
    assert run("reprocess", history, "-o", history.parent / "awarded").status == 0
    return history.parent / "awarded"


def saved(path: Path, content: str | bytes) -> Path:
    """Write a file, text in UTF-8, and return its path."""
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


File = Callable[..., Path]


@pytest.fixture
def file(tmp_path: Path, request: pytest.FixtureRequest) -> File:
    """Return what writes a file and gives its path; it is called NAME of the tests' module unless it says otherwise."""

    def write(content: str | bytes, name: str | None = None, *, declared: str = "") -> Path:
        path = tmp_path / (name or request.module.NAME)
        if declared:
            saved(path.with_suffix(".toml"), declared)
        return saved(path, content)

    return write


@pytest.fixture
def window(tmp_path: Path) -> Any:
    """Return a window of a browser on a desk: a Window of test_open.py."""
    from test_open import Window

    return Window(tmp_path / "club")


def run_process(*arguments: object, **options: Any) -> subprocess.CompletedProcess[bytes]:
    """Run the command line as a process of its own, which takes ten times as long: where that is what is tried."""
    command = [sys.executable, "-m", "resultproc", *map(str, arguments)]
    return subprocess.run(command, check=False, timeout=120, capture_output=True, **options)


class _Here(Executor):
    """A pool of one process, which is this one; what is given to it and comes from it is copied all the same."""

    _processes = None

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            given, named = pickle.loads(pickle.dumps((args, kwargs)))
            future.set_result(pickle.loads(pickle.dumps(fn(*given, **named))))
        except Exception as error:
            future.set_exception(pickle.loads(pickle.dumps(error)))
        return future


_pool = work.pool


@pytest.fixture
def apart() -> Iterator[None]:
    """Let every file be read in a process of its own, as users have it: where that is what is tried."""
    with patch.object(work, "pool", _pool):
        yield


OWN = tempfile.mkdtemp(prefix="resultproc-tests-")
"""The folder of what is the user's own."""


def pytest_configure(config: pytest.Config) -> None:
    """Hear Ctrl-C, as its tests do: what a script starts in the background is deaf to it, and so is all below.

    What is the user's own, such as the receipts of what was published, is looked for in a folder of the tests.
    """
    os.environ["XDG_CONFIG_HOME"] = OWN
    gc.disable()  # until all tests are there, see below
    # That a file outlasts a power cut is not seen here, and to wait for the disk thousands of times takes long.
    os.fsync = lambda _: None
    # A process for the files of a test takes ten times as long as they do; those that have limits of their own have it.
    work.pool = lambda jobs, limits=None: _Here() if jobs == 1 and limits == FileLimits() else _pool(jobs, limits)
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    # Each process compiles its part of the modules first, and then finds the others compiled: else each compiles all.
    worker = getattr(config, "workerinput", None)
    if worker and config.args == ["tests"]:
        modules = sorted(path.stem for path in Path(__file__).parent.glob("test_*.py"))
        for module in modules[int(worker["workerid"][2:]) :: worker["workercount"]]:
            with suppress(Exception, pytest.skip.Exception):  # which is told when its tests are looked for
                import_module(module)


def pytest_collection_modifyitems(items: list[pytest.Function]) -> None:
    """Mark what tries a property on many examples as slow; other tests that take long are marked themselves.

    What is imported by then is there until the end: Python need not look through it for garbage again and again, which
    takes a fifteenth of the time of the tests. How seldom it looks is what the command line sets.
    """
    gc.freeze()
    gc.set_threshold(150_000, 50, 50)
    gc.enable()
    for item in items:
        if getattr(item.obj, "is_hypothesis_test", False):
            item.add_marker("slow")


def pytest_unconfigure(config: pytest.Config) -> None:
    """Remove that folder, and say last, below the summary, which tests were left out and why."""
    shutil.rmtree(OWN, ignore_errors=True)
    gc.unfreeze()
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None or hasattr(config, "workerinput"):
        return
    reasons = Counter(report.longrepr[2].removeprefix("Skipped: ") for report in reporter.stats.get("skipped", []))
    for reason, tests in reasons.items():
        reporter.write_line(f"left out: {tests} test{'s' * (tests > 1)}: {reason}", yellow=True)


ARCHIVES = tuple(f"test_{name}" for name in ("archive", "audit", "export", "persons", "query", "record", "where"))
"""How the names of modules begin whose commands need pyarrow."""


@pytest.fixture(scope="module", autouse=True)
def text_held_as_installed(request: pytest.FixtureRequest) -> Iterator[None]:
    """Hold text as the installation does that a module's tests are for: with pyarrow only where it is needed.

    A director has no pyarrow. Small games take a third less time without it.
    """
    with_pyarrow = ALL or request.module.__name__.startswith(ARCHIVES)
    with pd.option_context("mode.string_storage", "pyarrow" if with_pyarrow else "python"):
        yield


@pytest.fixture(autouse=True)
def in_english_again() -> Iterator[None]:
    """Let no test be told in the language of one before it."""
    yield
    speak(ENGLISH)


def needs_library(name: str) -> None:
    """Leave out a module of tests whose library is not installed. Its tests import it, as that takes long."""
    if find_spec(name) is None:
        pytest.skip(f"{name} is not installed", allow_module_level=True)


def with_tabs(text: str) -> str:
    """Return a text as an editor saves it that has a tab for the blanks before each eighth place."""
    rows = [[line[at : at + 8] for at in range(0, len(line), 8)] for line in text.split("\n")]
    return "\n".join("".join(re.sub("  +$", "\t", part.ljust(8)) for part in parts).rstrip() for parts in rows)
