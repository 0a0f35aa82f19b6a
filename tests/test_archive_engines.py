"""The table of an archive as other programs read it, by the words of the documents."""

import re
from pathlib import Path

import pytest
from conftest import PROJECT

pytest.importorskip("deltalake")

from test_archive_history import game

from resultproc.archive.add import add
from resultproc.archive.history import remove
from resultproc.archive.store import Store
from resultproc.archive.table import compact

CHAPTER = (
    (PROJECT / "resultproc" / "docs" / "archive.md").read_text("utf-8").split("## The archive in other programs")[1]
)
EXAMPLES = re.findall(r"```python\n(.*?)```", CHAPTER.split("\n## ")[0], re.DOTALL)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with an archive in which one of three games was corrected, and one removed; a year is compacted.

    By hand: two games of six contestants count, and four rows are there.
    """
    folder = tmp_path_factory.mktemp("engines")
    store = Store(str(folder / "history"))
    for name, top in (("a", 40), ("a", 45), ("b", 41), ("c", 42)):
        add([game(folder, f"{name}.csv", name=name, top=top)], store)
    compact(store)
    remove(store, ["c"])
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("example", EXAMPLES, ids=["pandas", "duckdb"])
def test_the_examples_of_the_documents(folder, example, monkeypatch):
    monkeypatch.chdir(folder)
    names: dict[str, object] = {}
    exec(example, names)
    assert len(names["games"]) == 4
    assert len(names["seats"]) == 12
    if "duckdb" in example:
        tops = names["seats"].filter("direction = 'N-S' AND number = '1'").project("score").fetchall()
        assert sorted(tops) == [(41.0,), (45.0,)]


@pytest.mark.filterwarnings("ignore:The inplace keyword")
def test_dask_reads_the_same_files_as_partitions(folder):
    dataframe = pytest.importorskip("dask.dataframe")
    from deltalake import DeltaTable

    frame = dataframe.read_parquet(DeltaTable(str(folder / "history" / "games")).file_uris())
    assert len(frame) == 4
    assert frame["valid_until"].isna().sum().compute() == 2


def test_the_schema_of_the_table_has_what_the_dictionary_lists(folder):
    """Of families, such as player1, what is there."""
    import pyarrow as pa
    from deltalake import DeltaTable

    from resultproc.archive.views import FILES

    schema = pa.schema(DeltaTable(Path(folder) / "history" / "games").schema().to_arrow())
    assert {*schema.names} == {each.name for each in FILES["games"].columns} | {"year"}
    nested = {field.name for field in schema.field("contestants").type.value_type}
    declared = {each.name for each in FILES["contestants"].columns if not each.numbered} - {"game_id"}
    assert nested == declared | {"player1", "player2"}
