"""Libraries that are extras: what is imported without need, and what is said where one is missing."""

import subprocess
import sys

import pytest
from conftest import FIXTURES

from resultproc.cli.messages import extras
from resultproc.model.errors import InputError

WITHOUT = """
import sys
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {libraries!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Absent())
from resultproc.cli import main
"""
"""The beginning of a program that runs as if some libraries were not installed."""


@pytest.mark.parametrize(
    ("library", "extra"),
    [
        ("deltalake", "archive"),
        ("duckdb", "archive"),
        ("pyarrow.parquet", "archive"),
        ("fsspec", "archive"),
        ("dask.config", "cluster"),
        ("cryptography.hazmat", "sign"),
        ("endplay.dds", "deals"),
    ],
)
def test_the_message_names_the_extra(library, extra):
    with pytest.raises(InputError) as error, extras():
        raise ModuleNotFoundError(name=library)
    name = library.partition(".")[0]
    install = f"{sys.executable} -m pip install 'resultproc[{extra}]'"
    assert str(error.value) == f"this command needs {name}; install it with: {install}"


def test_a_module_of_no_extra_is_a_mistake_of_the_program():
    with pytest.raises(ModuleNotFoundError), extras():
        raise ModuleNotFoundError(name="resultproc.nothing")


@pytest.mark.slow
def test_only_a_scheduler_needs_dask(tmp_path):
    pytest.importorskip("deltalake")
    code = f"""{WITHOUT.format(libraries=("dask", "distributed"))}
try:
    main(["archive", "add", sys.argv[1], "--to", "history"])
except SystemExit as done:
    assert done.code == 0
main(["reprocess", "history", "-o", "out", "--jobs", "2"])
main(["reprocess", "history", "-o", "other", "--scheduler", "tcp://127.0.0.1:1"])
"""
    game = tmp_path / "game.csv"
    game.write_text(
        "# date: 2012-04-18\n# rating: club-open\n# tables: 2\nsection,direction,number,player1,player2,score\n"
        "A,N-S,1,Ann,Bob,30\nA,N-S,2,Cat,Dan,20\nA,E-W,1,Eve,Fay,30\nA,E-W,2,Gus,Hal,20\n",
        "utf-8",
    )
    found = subprocess.run([sys.executable, "-c", code, game], cwd=tmp_path, capture_output=True, text=True)
    assert (tmp_path / "out" / "summary.html").exists(), found.stderr
    assert found.returncode == 6
    assert "this command needs distributed; install it with: " in found.stderr
    assert found.stderr.endswith(" -m pip install 'resultproc[cluster]'\n")


@pytest.mark.slow
def test_award_needs_no_extra(tmp_path):
    libraries = ("pyarrow", "deltalake", "fsspec", "duckdb", "dask", "distributed", "cryptography")
    code = f"""{WITHOUT.format(libraries=libraries)}
main(["award", sys.argv[1], "--to", "json"])
"""
    game = FIXTURES / "made-wednesday.csv"
    found = subprocess.run([sys.executable, "-c", code, game], cwd=tmp_path, capture_output=True, text=True)
    assert (found.returncode, found.stderr) == (0, "")
    assert '"masterpoints": "0.94"' in found.stdout
