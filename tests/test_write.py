"""Files are written whole or not at all, whatever the disk does."""

import pytest

from resultproc.model.errors import OutputError
from resultproc.model.files import write_bytes

resource = pytest.importorskip("resource", reason="Windows limits no files")


@pytest.fixture
def a_small_disk():
    """Let no file of this process grow over 4096 bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("size", [4097, 9000, 100_000])
@pytest.mark.usefixtures("a_small_disk")
def test_a_disk_that_takes_no_more_leaves_the_file_as_it_was(tmp_path, size):
    path = tmp_path / "game.json"
    path.write_bytes(b"before")
    with pytest.raises(OutputError) as error:
        write_bytes(path, b"x" * size)
    assert str(error.value) == f"{path}: it cannot be written: File too large"
    assert list(tmp_path.iterdir()) == [path]
    assert path.read_bytes() == b"before"
