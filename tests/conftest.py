"""What every test runs with."""

import signal


def pytest_configure() -> None:
    """Hear Ctrl-C, as its tests do: what a script starts in the background is deaf to it, and so is all below."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
