"""Files are written whole or not at all, whatever the disk does."""

from __future__ import annotations

import subprocess
import sys

import pytest

FILL = """
import resource, sys
from pathlib import Path
from resultproc.formats.write import write_bytes
from resultproc.model.errors import OutputError
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
try:
    write_bytes(Path(sys.argv[1]), b"x" * int(sys.argv[2]))
except OutputError as error:
    sys.exit(str(error))
"""


@pytest.mark.slow
@pytest.mark.parametrize("size", [4097, 9000, 100_000])
def test_a_disk_that_takes_no_more_leaves_the_file_as_it_was(tmp_path, size):
    path = tmp_path / "game.json"
    path.write_bytes(b"before")
    done = subprocess.run([sys.executable, "-c", FILL, path, str(size)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, f"{path}: it cannot be written: File too large\n")
    assert list(tmp_path.iterdir()) == [path]
    assert path.read_bytes() == b"before"
