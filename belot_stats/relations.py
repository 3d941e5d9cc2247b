"""The relations of ``reports/relations``: their names, each after those it is built on, and their SQL."""

from __future__ import annotations

from belot_stats.resources import resource


def relation_names() -> list[str]:
    """Names of the relations, each after those it is built on."""
    return resource("reports", "relations/ORDER").read_text(encoding="utf-8").split()


def relation_sql(name: str) -> str:
    """The query that the relation *name* is."""
    return resource("reports", f"relations/{name}.sql").read_text(encoding="utf-8").strip().rstrip(";")
