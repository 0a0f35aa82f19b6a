"""What every test runs with."""

from __future__ import annotations

import signal
from collections import Counter

import pytest


def pytest_configure() -> None:
    """Hear Ctrl-C, as its tests do: what a script starts in the background is deaf to it, and so is all below."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Say last, below the summary, which tests were left out and why."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None or hasattr(config, "workerinput"):
        return
    reasons = Counter(report.longrepr[2].removeprefix("Skipped: ") for report in reporter.stats.get("skipped", []))
    for reason, tests in reasons.items():
        reporter.write_line(f"left out: {tests} test{'s' * (tests > 1)}: {reason}", yellow=True)
