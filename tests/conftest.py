"""What every test runs with."""

import signal
from collections import Counter

import pytest
from samples import LEFT_OUT


def pytest_configure() -> None:
    """Hear Ctrl-C, as its tests do: what a script starts in the background is deaf to it, and so is all below."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config: pytest.Config) -> None:
    """Say last of all what was left out, so that nobody takes a run without it for a whole one."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    skipped = reporter.stats.get("skipped", []) if reporter else []
    reasons = Counter(str(each.longrepr[2]).removeprefix("Skipped: ") for each in skipped)
    for reason, count in sorted(reasons.items()):
        if reason.startswith(LEFT_OUT):
            reporter.write_line(f"{reason} ({count} test{'s' if count > 1 else ''})")
