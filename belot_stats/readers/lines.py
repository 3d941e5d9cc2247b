"""JSON Lines: cutting at LF, and strict JSON of one line.

Only LF ends a line (not CR, U+0085 or U+2028); a byte order mark at the start of a line is no part of it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from belot_stats.readers.reader import CHUNK_BYTES, Chunk, Source

READ_BYTES = 1024 * 1024
LONGEST_LINE = 64 * 1024 * 1024  # a longer line is not parsed, only kept
LONGEST_CHUNK = 512 * 1024 * 1024  # a line longer than this is kept in several pieces
MOST_LEVELS = 64  # of arrays and objects in each other
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
BLANKS = b" \t\r"

_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_CUT_TOKEN = re.compile(r"|-|t|tr|tru|f|fa|fal|fals|n|nu|nul|\.|(?:\.\d+)?[eE][+-]?")
_CUT_ESCAPE = re.compile(r"\\?u?[0-9a-fA-F]{0,3}")


class LineProblem(Exception):
    """A line that is no JSON object; ``code`` is the finding code, the text says where and what was expected."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def split_lines(
    stream: Source, chunk_bytes: int = CHUNK_BYTES, longest: int = LONGEST_CHUNK
) -> Iterator[Chunk]:
    """Chunks of whole lines, each of at most *chunk_bytes*, or of one line where that is longer.

    The same bytes always give the same chunks, however the stream hands them over, and a log that has grown keeps
    its chunks but for the last. A line of more than *longest* bytes is cut into pieces of that length.
    """
    longest = max(longest, chunk_bytes)
    pending, line, byte = bytearray(), 1, 0
    searched = chunk_bytes
    at_end = False
    while not at_end or pending:
        cut = _cut(pending, chunk_bytes, searched, longest, at_end)
        if cut == 0:
            searched = max(chunk_bytes, len(pending))
            more = stream.read(READ_BYTES)
            at_end = not more
            pending += more
            continue
        data = bytes(memoryview(pending)[:cut])
        del pending[:cut]
        ends = data.count(b"\n")
        yield Chunk(data=data, first_line=line, first_byte=byte, lines=ends + (not data.endswith(b"\n")))
        line, byte, searched = line + ends, byte + cut, chunk_bytes


def _cut(pending: bytearray, chunk_bytes: int, searched: int, longest: int, at_end: bool) -> int:
    """Where the next chunk ends in *pending*; 0 when more bytes must be read first."""
    if len(pending) <= chunk_bytes:
        return len(pending) if at_end else 0
    cut = pending.rfind(b"\n", 0, chunk_bytes) + 1 or pending.find(b"\n", searched, longest) + 1
    if cut == 0 and len(pending) >= longest:
        return longest
    return len(pending) if at_end and not cut else cut


def lines_of(data: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Number (from 1), offset and bytes of each line of *data*, its LF not included."""
    number, start = 0, 0
    while start < len(data):
        end = _end_of_line(data, start)
        number += 1
        yield number, start, data[start:end]
        start = end + 1


def is_blank(raw: bytes) -> bool:
    """The line holds nothing but blanks and byte order marks."""
    return not raw.strip(BLANKS) or not without_mark(raw).strip(BLANKS)


def without_mark(raw: bytes) -> bytes:
    """*raw* without the byte order marks it begins with."""
    while raw.startswith(BYTE_ORDER_MARK):
        raw = raw[len(BYTE_ORDER_MARK) :]
    return raw


def count_blank_lines(data: bytes) -> int:
    """Blank lines of *data*; a line that begins with a brace is none, and need not be looked at."""
    import numpy as np

    codes = np.frombuffer(data, dtype=np.uint8)
    starts = np.concatenate([[0], np.flatnonzero(codes == ord("\n")) + 1])
    starts = starts[starts < len(data)]
    doubtful = starts[codes[starts] != ord("{")].tolist()
    return sum(is_blank(data[start : _end_of_line(data, start)]) for start in doubtful)


def _end_of_line(data: bytes, start: int) -> int:
    end = data.find(b"\n", start)
    return len(data) if end < 0 else end


def parse_object(raw: bytes) -> dict[str, Any]:
    """Object that the line *raw* holds.

    Raises: LineProblem with ``unreadable-line``, ``truncated-line`` or ``not-an-object``.
    """
    value = parse_line(raw)
    if type(value) is not dict:
        found = _excerpt(json.dumps(value, ensure_ascii=False))
        raise LineProblem("not-an-object", f"expected an object, found {found}")
    return value


def parse_line(raw: bytes) -> Any:
    """Value of the line *raw*, by the JSON grammar and no looser: no key twice, no NaN, no number beyond a double,
    no half of a surrogate pair, nothing after the value.

    Raises: LineProblem with ``unreadable-line`` or ``truncated-line``.
    """
    if len(raw) > LONGEST_LINE:
        raise LineProblem("unreadable-line", f"a line of {len(raw)} bytes: expected at most {LONGEST_LINE}")
    text = _decode(without_mark(raw))
    _check_levels(text)
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise _explain(error) from None
    except (
        ValueError,
        RecursionError,
    ):  # Python's bound on the digits of an integer; levels are bounded above
        raise LineProblem("unreadable-line", "an integer of thousands of digits") from None
    if _SURROGATE_ESCAPE.search(text):
        _check_surrogates(value)
    return value


def _decode(raw: bytes) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.reason == "unexpected end of data" and _is_cut(raw[: error.start].decode("utf-8")):
            raise LineProblem("truncated-line", "the line ends inside a character") from None
        found = f"byte 0x{raw[error.start]:02x} at offset {error.start} of the line"
        raise LineProblem("unreadable-line", f"not UTF-8: {found}: {error.reason}") from None


def _is_cut(text: str) -> bool:
    """*text* is the beginning of some JSON value, and not a whole one."""
    try:
        _DECODER.decode(text)
    except json.JSONDecodeError as error:
        return _explain(error).code == "truncated-line"
    except (LineProblem, ValueError, RecursionError):
        pass
    return False


def _check_levels(text: str) -> None:
    if text.count("[") + text.count("{") <= MOST_LEVELS:
        return
    level = 0
    for bracket in re.findall(r"[\[\]{}]", _STRING.sub("", text)):
        level += 1 if bracket in "[{" else -1
        if level > MOST_LEVELS:
            raise LineProblem("unreadable-line", f"nested too deeply: expected at most {MOST_LEVELS} levels")


def _explain(error: json.JSONDecodeError) -> LineProblem:
    rest = error.doc[error.pos :].rstrip(" \t\r")
    cut = _CUT_ESCAPE if error.msg.startswith("Invalid \\") else _CUT_TOKEN
    if error.msg.startswith("Unterminated string") or cut.fullmatch(rest):
        return LineProblem(
            "truncated-line", f"the JSON ends at the end of the line, inside a value: {error.msg}"
        )
    if error.msg == "Extra data":
        return LineProblem("unreadable-line", f"text after the object: {_excerpt(rest)}")
    return LineProblem("unreadable-line", f"no JSON: {error.msg} at character {error.pos}: {_excerpt(rest)}")


def _excerpt(text: str, length: int = 40) -> str:
    return repr(text if len(text) <= length else text[:length] + "…")


def _object_of(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise LineProblem("unreadable-line", f"the key {twice!r} stands twice in one object")
    return members


def _float_of(text: str) -> float:
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise LineProblem(
            "unreadable-line", f"the number {_excerpt(text)} is too large for any reader of JSON"
        )
    return number


def _no_constant(text: str) -> Any:
    raise LineProblem("unreadable-line", f"{text} is no JSON")


def _check_surrogates(value: Any) -> None:
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError as error:
        half = f"\\u{ord(error.object[error.start]):04x}"
        raise LineProblem("unreadable-line", f"{half} is half of a surrogate pair and stands alone") from None


_DECODER = json.JSONDecoder(object_pairs_hook=_object_of, parse_float=_float_of, parse_constant=_no_constant)
