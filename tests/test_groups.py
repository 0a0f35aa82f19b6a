"""Rows of groups are told apart, whatever numbers are in them."""

import numpy as np
import pandas as pd
import pytest

from resultproc.model.arrays import distinct_rows


@pytest.mark.parametrize("kind", [np.int8, np.int32, np.int64])
def test_rows_are_told_apart_by_numbers_as_far_apart_as_there_are(kind: type[np.signedinteger]) -> None:
    low, high = np.iinfo(kind).min, np.iinfo(kind).max
    number, first = distinct_rows(pd.DataFrame({"level": np.array([high, low, high, 0], dtype=kind)}))
    assert number.tolist() == [0, 1, 0, 2]
    assert first.tolist() == [0, 1, 3]
