"""Quarantined records: listed with all that is known of them, and read again without counting anything twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from belot_stats.errors import UnknownRulesError
from belot_stats.ingest import ingest
from belot_stats.ledger import LedgerRow
from belot_stats.requeue import quarantine_list, quarantine_requeue
from belot_stats.warehouse import Warehouse
from tests.store.logs import codes, count, lines, match, query, record, write_log


def bare(number: int, *gone: str) -> dict[str, object]:
    """A record without some fields."""
    return {key: value for key, value in record(number).items() if key not in gone}


def mixed_log(folder: Path) -> Path:
    """Ten deals: 2 and 5 name no rules, 7 no source, 9 neither; and a line that is nothing."""
    gone = {2: ("rules",), 5: ("rules",), 7: ("source",), 9: ("rules", "source")}
    return write_log(folder / "a.jsonl", [*(bare(n, *gone.get(n, ())) for n in range(1, 11)), "nothing"])


def only_row(warehouse: Path) -> LedgerRow:
    (row,) = Warehouse(warehouse).rows()
    assert row.read == row.stored + row.quarantined
    return row


def test_list_gives_place_reason_and_bytes(tmp_path: Path) -> None:
    log = mixed_log(tmp_path)
    ingest(log, tmp_path / "w", chunk_bytes=2_000)
    listed = list(quarantine_list(tmp_path / "w"))
    data = log.read_bytes()
    assert [item.line for item in listed] == [2, 5, 7, 9, 11]
    assert all(data[item.byte : item.byte + len(item.raw)] == item.raw for item in listed)
    assert {item.name for item in listed} == {str(log)}
    assert len(listed[3].problems) == 2
    assert [item.line for item in quarantine_list(tmp_path / "w", codes=["unreadable-line"])] == [11]
    assert list(quarantine_list(tmp_path / "w", names=["other.jsonl"])) == []


def test_requeue_stores_what_can_be_read_now_and_keeps_the_rest(tmp_path: Path) -> None:
    log = mixed_log(tmp_path)
    ingest(log, tmp_path / "w", chunk_bytes=2_000)
    file = only_row(tmp_path / "w").file
    (report,) = quarantine_requeue(tmp_path / "w", rules="belot-bg")
    assert (report.reread, report.recovered) == (5, 2)
    balance = report.balance
    assert (balance.read, balance.accepted, balance.quarantined, balance.skipped) == (11, 8, 3, 0)
    assert query(tmp_path / "w", "select line from deals order by line") == [
        (n,) for n in (1, 2, 3, 4, 5, 6, 8, 10)
    ]
    assert query(tmp_path / "w", "select line from quarantine order by line") == [(7,), (9,), (11,)]
    (report,) = quarantine_requeue(tmp_path / "w", rules="belot-bg", source="test")
    assert (report.reread, report.recovered, report.balance.quarantined) == (3, 2, 1)
    assert only_row(tmp_path / "w").file == file
    assert codes(tmp_path / "w") == []
    assert [item.line for item in quarantine_list(tmp_path / "w")] == [11]
    assert query(
        tmp_path / "w", "select count_read, count_accepted, count_quarantined, count_missing from files"
    ) == [(11, 10, 1, 0)]


def test_requeue_in_vain_changes_nothing(tmp_path: Path) -> None:
    ingest(mixed_log(tmp_path), tmp_path / "w")
    before = only_row(tmp_path / "w")
    (report,) = quarantine_requeue(tmp_path / "w", codes=["unreadable-line"], rules="belot-bg")
    assert (report.reread, report.recovered) == (1, 0)
    assert only_row(tmp_path / "w") == before
    with pytest.raises(UnknownRulesError):
        quarantine_requeue(tmp_path / "w", rules="belot-gb")


def test_requeue_takes_up_the_source_and_rules_given_before(tmp_path: Path) -> None:
    log = write_log(tmp_path / "a.jsonl", [bare(n, "source", "rules") for n in range(1, 11)])
    ingest(log, tmp_path / "w", rules="belot-bg")
    assert count(tmp_path / "w", "quarantine") == 10
    (report,) = quarantine_requeue(tmp_path / "w", source="club")
    assert (report.recovered, report.balance.accepted) == (10, 10)
    assert query(tmp_path / "w", "select distinct source, rules from deals") == [("club", "belot-bg")]


def test_the_same_file_again_after_requeue_adds_nothing(tmp_path: Path) -> None:
    log = mixed_log(tmp_path)
    ingest(log, tmp_path / "w")
    quarantine_requeue(tmp_path / "w", rules="belot-bg", source="test")
    (file,) = ingest(log, tmp_path / "w").files
    assert file.is_known
    assert (file.read, file.accepted, file.quarantined, file.skipped) == (11, 0, 1, 10)
    assert (count(tmp_path / "w", "deals"), count(tmp_path / "w", "quarantine")) == (10, 1)


def test_a_log_that_grows_after_requeue_keeps_it_for_the_chunks_it_keeps(tmp_path: Path) -> None:
    log = mixed_log(tmp_path)
    ingest(log, tmp_path / "w", chunk_bytes=2_000)
    quarantine_requeue(tmp_path / "w", rules="belot-bg", source="test")
    with log.open("a", encoding="utf-8") as file:
        file.write(lines(match("m2")))
    (grown,) = ingest(log, tmp_path / "w", chunk_bytes=2_000).files
    row = only_row(tmp_path / "w")
    assert grown.read == row.read == 21 == grown.accepted + grown.quarantined + grown.skipped
    assert 1 <= row.quarantined <= 3  # those of the last chunk, which is another now, are read anew
    assert count(tmp_path / "w", "deals") == row.stored == 21 - row.quarantined
    quarantine_requeue(tmp_path / "w", rules="belot-bg", source="test")
    assert count(tmp_path / "w", "deals") == 20
