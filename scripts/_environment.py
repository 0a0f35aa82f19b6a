"""The environments that the scripts run in: set up on first use, found at once ever after.

An environment is a folder in the project with the libraries of one lock file, and with the package itself installed so
that changes in its code take effect. It is set up anew when the lock file, pyproject.toml or the project's place
changes, and when an earlier set-up was interrupted.

Every start of a script comes through here, so this imports little before there is something to set up.
"""

import os
import sys

if sys.version_info < (3, 11):  # noqa: UP036 - this is where it is said
    here = f"{sys.version_info[0]}.{sys.version_info[1]}, {sys.executable}"
    sys.exit(
        f"resultproc needs Python 3.11 or newer, and this is {here}.\n"
        f"If a newer one is installed, name it: python3.12 {sys.argv[0]}"
    )

PROJECT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))

RUN = (".venv", "requirements.txt")
"""What ``resultproc`` runs in: a folder of the project and its lock file, as scripts/lock writes it."""

TEST = (".venv-dev", "requirements-dev.txt")
"""What linters, type checker and tests run in."""

LOWEST = (".venv-lowest", "requirements-lowest.txt")
"""What the tests run in with the lowest versions that pyproject.toml allows."""

UV = "requirements-uv.txt"
"""The lock file of uv, an installer."""

STAMP = "resultproc-stamp"
"""The file in an environment that holds what it was set up from; it is there only when the set-up was finished."""


def command(name: str, environment: tuple[str, str] = RUN) -> str:
    """Return the path of a command in an environment, which is set up first if it has to be.

    Exits with a message if it cannot be set up.
    """
    folder, lock = environment
    folder = os.path.join(PROJECT, folder)
    if not _is_ready(folder, *_made_from(lock)):
        _set_up(folder, lock)
    return _in(folder, name)


def become(*arguments: str) -> None:
    """Run a command in place of this script, with its exit status."""
    if sys.platform == "win32":  # where execv would return to the prompt before the command ends
        import subprocess

        sys.exit(subprocess.call(arguments))
    os.execv(arguments[0], arguments)


def become_tests(script: str) -> None:
    """Run a script in the environment of the tests, unless it already runs in one that has what they need."""
    from importlib.util import find_spec

    if find_spec("resultproc") is None or find_spec("pytest") is None:
        become(command("python", TEST), script, *sys.argv[1:])


def _in(folder: str, name: str) -> str:
    if sys.platform == "win32":
        return os.path.join(folder, "Scripts", f"{name}.exe")
    return os.path.join(folder, "bin", name)


def _made_from(lock: str) -> tuple[bytes, bytes]:
    """Return what the libraries depend on, and what the installed package does besides."""
    libraries = _content(os.path.join(PROJECT, "scripts", lock)) or b""
    return os.fsencode(PROJECT) + b"\n" + libraries, _content(os.path.join(PROJECT, "pyproject.toml")) or b""


def _content(path: str) -> bytes | None:
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None


def _is_ready(folder: str, libraries: bytes, package: bytes) -> bool:
    # Python itself is missing where the one that the environment was made with has been removed.
    return _content(os.path.join(folder, STAMP)) == libraries + package and os.path.exists(_in(folder, "python"))


def _set_up(folder: str, lock: str) -> None:
    import subprocess

    place = os.path.basename(folder)
    print(f"Setting up {place}: a minute or so the first time, moments from then on.", file=sys.stderr, flush=True)
    try:
        with open(folder + ".lock", "a") as file:
            _wait_for(file.fileno())
            libraries, package = _made_from(lock)
            # Where two were started at once, the other has done it.
            if not _is_ready(folder, libraries, package):
                _install(folder, lock, libraries, package)
    except KeyboardInterrupt:
        sys.exit("Stopped; the next start sets up anew.")
    except subprocess.CalledProcessError:
        sys.exit(
            "That could not be set up. The first time takes a connection to the network; once it is there, start again."
        )
    except OSError as error:
        sys.exit(f"That could not be set up: {error}")


def _wait_for(descriptor: int) -> None:
    """Wait until no other set-up is under way; the file is let go when it is closed, however this process ends."""
    if sys.platform == "win32":
        import msvcrt

        while True:
            try:
                msvcrt.locking(descriptor, msvcrt.LK_LOCK, 1)
            except OSError:  # which comes after ten seconds
                continue
            return
    else:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX)


def _install(folder: str, lock: str, libraries: bytes, package: bytes) -> None:
    import subprocess
    from importlib.util import find_spec

    stamp = os.path.join(folder, STAMP)
    python = _in(folder, "python")
    before = _content(stamp) or b""
    if before:
        os.remove(stamp)

    def run(*command: str) -> None:
        # Standard output is the command's that waits for all this.
        subprocess.run(command, cwd=os.path.join(PROJECT, "scripts"), stdout=sys.stderr, check=True)

    pip = (python, "-m", "pip", "install", "-qq", "--no-compile")  # modules are compiled when they are first used
    # A lock file has all that is needed, and wheels alone: to build from source would take compilers, and libraries
    # that are not locked.
    locked = ("--no-deps", "--require-hashes", "--only-binary=:all:", "-r")

    def by_uv() -> bool:
        """Return whether uv could install the libraries: a hundred in a tenth of the time, while few are there sooner
        with pip, which is there already."""
        try:
            run(*pip, *locked, UV)
            run(_in(folder, "uv"), "pip", "install", "--quiet", "--python", python, *locked, lock)
        except subprocess.CalledProcessError:
            print("uv could not install the libraries; pip tries it.", file=sys.stderr, flush=True)
            return False
        return True

    if not before.startswith(libraries) or not os.path.exists(python):
        if not find_spec("venv") or not find_spec("ensurepip"):
            sys.exit(f"This Python, {sys.executable}, lacks venv or ensurepip. On Debian: apt install python3-venv")
        import venv

        venv.create(folder, clear=True, with_pip=True, symlinks=sys.platform != "win32")
        if lock == RUN[1] or not by_uv():
            run(*pip, *locked, lock)
    run(*pip, "--no-deps", "--no-build-isolation", "-e", PROJECT)
    with open(stamp + ".new", "wb") as file:
        file.write(libraries + package)
    os.replace(stamp + ".new", stamp)
