"""Text from logs and users, made fit to be shown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

# The first time on a machine, and after an update; policies and outputs have loops of their own.
COMPILING = "compiling the rules for this, the first time only: about 50 s"
# Control characters, and those that turn the direction of writing: a name must not move a cursor or hide its end.
UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)


def visible(text: str) -> str:
    r"""*text* with characters that cannot be seen written out.

    >>> visible("a\x1b[2Jb\n")
    'a\\x1b[2Jb\\n'
    """
    return UNSEEN.sub(lambda match: ascii(match.group())[1:-1], text)


def storable(text: str) -> str:
    r"""*text* with what is no UTF-8, such as an odd byte in a file's name, written out.

    >>> storable("a\udcffb")
    'a\\xffb'
    """
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def markdown_table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> list[str]:
    """Lines of a table in Markdown, and an empty line after it.

    >>> markdown_table(["a", "b"], [[1, "x|y"]])
    ['| a | b |', '|---|---|', '| 1 | x\\\\|y |', '']
    """
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return [*lines, *("| " + " | ".join(map(_cell, row)) + " |" for row in rows), ""]


def _cell(text: object) -> str:
    return str(text).replace("|", "\\|").replace("\n", " ")
