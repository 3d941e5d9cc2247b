"""The relations of ``reports/relations``: their names, each after those it is built on, and their SQL."""

from __future__ import annotations

import re

from belot_stats.resources import resource

_COMMENT = re.compile(r"--.*")


def relation_names() -> list[str]:
    """Names of the relations, each after those it is built on."""
    return resource("reports", "relations/ORDER").read_text(encoding="utf-8").split()


def relation_sql(name: str) -> str:
    """The query that the relation *name* is."""
    return resource("reports", f"relations/{name}.sql").read_text(encoding="utf-8").strip().rstrip(";")


def relations_for(query: str) -> list[str]:
    """Names of the relations that *query* names, and of those that they are built on, each after those.

    >>> relations_for("select count(*) from problems")
    ['chunks', 'findings', 'quarantine', 'problems']
    """
    found: list[str] = []
    query = _COMMENT.sub("", query)
    for name in reversed(relation_names()):
        if re.search(rf"\b{name}\b", query):
            found.append(name)
            query += _COMMENT.sub("", relation_sql(name))
    return found[::-1]
