"""Times."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from belot_stats.readers.times import is_time, parse_time, started_at

GOOD = [
    ("2026-01-05T20:15:00+02:00", datetime(2026, 1, 5, 18, 15, tzinfo=UTC)),
    ("2026-01-05T20:15:00Z", datetime(2026, 1, 5, 20, 15, tzinfo=UTC)),
    ("2026-01-05t20:15:00.123456789z", datetime(2026, 1, 5, 20, 15, 0, 123456, tzinfo=UTC)),
    ("2026-01-05 20:15:00.5-00:30", datetime(2026, 1, 5, 20, 45, 0, 500000, tzinfo=UTC)),
    ("2016-12-31T23:59:60Z", datetime(2017, 1, 1, tzinfo=UTC)),
    ("2024-10-27T03:30:00+03:00", datetime(2024, 10, 27, 0, 30, tzinfo=UTC)),
    ("2024-10-27T03:30:00+02:00", datetime(2024, 10, 27, 1, 30, tzinfo=UTC)),
    ("2024-02-29T00:00:00Z", datetime(2024, 2, 29, tzinfo=UTC)),
]
BAD = [
    "", "2026-01-05", "20:15:00", "2026-01-05T20:15", "2026-01-05T20:15Z", "2026-1-5T20:15:00Z",
    "2026-02-29T20:15:00Z", "2026-13-01T00:00:00Z", "2026-01-05T24:00:00Z", "2026-01-05T20:60:00Z",
    "2026-01-05T20:15:61Z", "0000-01-01T00:00:00Z", "2026-01-05T20:15:00+0200", "2026-01-05T20:15:00+24:00",
    "2026-01-05T20:15:00 EET", "20260105T201500Z", "2026-01-05T20:15:00Z\n", "２026-01-05T20:15:00Z",
    "0001-01-01T00:00:00+01:00", "9999-12-31T23:59:59-01:00", "2026-01-05T20:15:00,5Z", "1767630000",
]  # fmt: skip


@pytest.mark.parametrize(("text", "time"), GOOD)
def test_times_become_utc(text: str, time: datetime) -> None:
    assert is_time(text)
    assert started_at(text) == time


def test_i25_a_time_without_offset_is_a_time_and_nothing_is_guessed() -> None:
    assert is_time("2024-10-27T03:30:00")
    assert started_at("2024-10-27T03:30:00") is None
    assert parse_time("2024-10-27T03:30:00") == datetime(2024, 10, 27, 3, 30)  # noqa: DTZ001  it is naive
    assert started_at(None) is None


@pytest.mark.parametrize("text", BAD)
def test_what_is_no_time(text: str) -> None:
    assert not is_time(text)
    assert started_at(text) is None
    with pytest.raises(ValueError, match="time"):
        parse_time(text)


@given(st.datetimes(timezones=st.timezones()))
def test_the_quick_test_agrees_with_the_full_one(time: datetime) -> None:
    text = time.isoformat(timespec="seconds")[:19] + "Z"
    assert is_time(text)
    assert parse_time(text).replace(tzinfo=None) == time.replace(tzinfo=None, microsecond=0)
