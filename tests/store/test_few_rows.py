"""Rows that are put in order before they become a table, and tables that Arrow puts in order: the same."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from belot_stats.errors import WarehouseError
from belot_stats.schema import TableBuilder, few_rows, sort_rows, table_of

NAMES = st.text(st.characters(exclude_categories=["Cs"]), max_size=3)
NUMBERS = st.integers(1, 5)
ROWS = st.lists(
    st.fixed_dictionaries(
        {
            "source": NAMES,
            "match": st.none() | NAMES,
            "deal": st.none() | NUMBERS,
            "line": NUMBERS,
            "code": NAMES,
        }
    ),
    max_size=12,
)


@given(ROWS)
def test_few_rows_are_in_the_order_that_arrow_puts_a_table_in(rows: list[dict[str, Any]]) -> None:
    expected = sort_rows("findings", table_of("findings", rows))
    assert few_rows("findings", rows).equals(expected)
    builder = TableBuilder("findings", batch_rows=5)
    builder.extend(rows)
    assert builder.finish().equals(expected)
    assert builder.count == 0


def test_row_of_another_type_is_named() -> None:
    rows = [{"source": "a", "match": "m", "deal": deal, "line": 1} for deal in (1, "two")]
    with pytest.raises(WarehouseError, match=r"findings\.deal: 'two' \(line 1 of its chunk\) is no"):
        few_rows("findings", rows)
