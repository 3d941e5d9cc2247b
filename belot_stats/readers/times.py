"""Times as RFC 3339 writes them, with or without an offset."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

TIME_EXAMPLE = "2026-01-05T20:15:00+02:00"
_TIME = re.compile(
    r"(\d{4}-\d\d-\d\d)[Tt ]((?:[01]\d|2[0-3]):[0-5]\d):([0-5]\d|60)(?:\.(\d+))?"
    r"([Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)?",
    re.ASCII,
)

_PLAIN_DAY = re.compile(r"(?!0000|0001|9999)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])", re.ASCII)


def parse_time(text: str) -> datetime:
    """Time that *text* names: in UTC where it has an offset, else naive. A leap second is the second after it.

    Raises: ValueError for anything that is no RFC 3339 time (a missing offset is let through).
    >>> parse_time("2026-01-05T20:15:00+02:00").isoformat()
    '2026-01-05T18:15:00+00:00'
    """
    match = _TIME.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is no RFC 3339 time, as in {TIME_EXAMPLE}")
    date, minute, second, fraction, offset = match.groups()
    leap = second == "60"
    micros = (fraction or "0")[:6].ljust(6, "0")
    zone = "+00:00" if offset in ("Z", "z") else offset or ""
    try:
        time = datetime.fromisoformat(f"{date}T{minute}:{'59' if leap else second}.{micros}{zone}")
        time = time + timedelta(seconds=leap)
        return time.astimezone(UTC) if offset else time
    except (ValueError, OverflowError):
        raise ValueError(f"{text!r} is no time: there is no such day in the years 1 to 9999") from None


def is_time(text: str) -> bool:
    """*text* is an RFC 3339 time, with or without an offset."""
    if _PLAIN_DAY.match(text) and _TIME.fullmatch(text):
        return True  # no month lacks this day, and no offset leads out of the years there are
    try:
        parse_time(text)
    except ValueError:
        return False
    return True


def started_at(text: str | None) -> datetime | None:
    """Time *text* in UTC; None where there is none, where it has no offset, and where it is no time.

    >>> started_at("2026-01-05T20:15:00") is None
    True
    """
    if text is None or not is_time(text):
        return None
    time = parse_time(text)
    return time if time.tzinfo else None
