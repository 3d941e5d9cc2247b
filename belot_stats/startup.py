"""What processes of the command line leave out when they start; those of library users are as they were."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from types import ModuleType


class _NoPandas:
    """A finder of modules that ends the search for pandas, and leaves all others to those after it."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> None:
        if name == "pandas":
            raise ModuleNotFoundError("pandas is left out", name=name)


def leave_pandas_out() -> None:
    """Let pyarrow find no pandas at the one look it takes, before the first list that it makes an array of.

    Importing pandas takes longer than reading a small log does. Who asks pyarrow for a data frame afterwards gets one:
    then it looks again.
    """
    if "pandas" in sys.modules:
        return
    import pyarrow as pa

    nothing = _NoPandas()
    sys.meta_path.insert(0, nothing)
    try:
        pa.array([])
    finally:
        sys.meta_path.remove(nothing)
