"""Several records of one deal: which counts, and what is said of the others (FORMAT "What counts as what")."""

from __future__ import annotations

from pathlib import Path

from belot_stats.copies import Copy, judge_copies
from belot_stats.ingest import ingest
from belot_stats.warehouse import Warehouse
from tests.store.logs import (
    PROJECT,
    Record,
    codes,
    count,
    cut_off,
    match,
    other_score,
    query,
    record,
    write_log,
)

PLAYS = [1, 2, 3, 4, 5, 6, 7, 8]


def copy_of(file: str, content: int, line: int = 1, **changes: object) -> Copy:
    values = {
        "bucket": 0, "source": "s", "match": "m", "deal": 1, "part": file, "line": line, "byte": 0, "file": file,
        "content_hash": content, "is_completed": True, "dealer": 0, "plays": PLAYS, "auction": [0, 6, 6, 6],
        "first_hands": None, "hands": None,
    }  # fmt: skip
    return Copy(**(values | changes))  # type: ignore[arg-type]


def reasons(*copies: Copy) -> list[tuple[str, int, str]]:
    return sorted((copy.file, copy.line, reason) for copy, reason in judge_copies(copies))


def test_one_record_counts() -> None:
    assert reasons(copy_of("a", 1)) == []


def test_equal_in_one_file_is_duplicate_and_across_files_copy() -> None:
    assert reasons(copy_of("a", 1), copy_of("a", 1, 2), copy_of("b", 1), copy_of("b", 1, 2)) == [
        ("a", 2, "duplicate"),
        ("b", 1, "copy"),
        ("b", 2, "duplicate"),
    ]


def test_other_content_is_conflict_on_the_later_copy() -> None:
    assert reasons(copy_of("a", 1), copy_of("a", 2, 2)) == [("a", 2, "conflict")]
    assert reasons(copy_of("a", 1), copy_of("b", 2), copy_of("c", 2)) == [
        ("b", 1, "conflict"),
        ("c", 1, "copy"),
    ]


def test_the_beginning_of_a_completed_deal_gives_way_to_it_in_either_order() -> None:
    short = copy_of("a", 1, plays=PLAYS[:3], is_completed=False)
    assert reasons(short, copy_of("b", 2)) == [("a", 1, "shorter")]
    assert reasons(copy_of("0", 2), short) == [("a", 1, "shorter")]


def test_the_beginning_of_another_deal_or_of_an_unfinished_one_does_not_give_way() -> None:
    short = copy_of("a", 1, plays=PLAYS[:3], is_completed=False)
    assert reasons(short, copy_of("b", 2, plays=PLAYS[::-1])) == [("b", 1, "conflict")]
    assert reasons(short, copy_of("b", 2, plays=PLAYS[:5], is_completed=False)) == [("b", 1, "conflict")]
    assert reasons(short, copy_of("b", 2, dealer=1)) == [("b", 1, "conflict")]
    assert reasons(short._replace(auction=[1]), copy_of("b", 2)) == [("b", 1, "conflict")]
    assert reasons(short._replace(hands=[1, 2]), copy_of("b", 2, hands=[3, 4])) == [("b", 1, "conflict")]


def test_within_one_file_the_beginning_is_a_conflict() -> None:
    short = copy_of("a", 1, plays=PLAYS[:3], is_completed=False)
    assert reasons(short, copy_of("a", 2, 2)) == [("a", 2, "conflict")]


def test_with_all_cards_played_the_completed_record_counts() -> None:
    left = copy_of("a", 1, is_completed=False)
    assert reasons(left, copy_of("b", 2)) == [("a", 1, "shorter")]


def ingest_files(folder: Path, *files: list[Record]) -> Path:
    for number, records in enumerate(files):
        ingest(write_log(folder / f"{number}.jsonl", records), folder / "w")
    return folder / "w"


def test_duplicate_in_one_file_is_a_finding_on_its_own_line(tmp_path: Path) -> None:
    warehouse = ingest_files(tmp_path, [*match(), record(4)])
    assert codes(warehouse) == [("duplicate-deal", 11)]
    assert query(warehouse, "select found from findings") == [("the same as line 4",)]
    assert count(warehouse, "deals") == 10


def test_equal_copy_in_another_file_is_no_finding(tmp_path: Path) -> None:
    warehouse = ingest_files(tmp_path, match(), match(deals=[3, 4]))
    assert codes(warehouse) == []
    assert query(warehouse, "select deal, reason from raw_duplicates order by deal") == [
        (3, "copy"),
        (4, "copy"),
    ]


def test_own_fields_of_the_writer_do_not_make_another_content(tmp_path: Path) -> None:
    warehouse = ingest_files(tmp_path, match(), [record(3, _table=5)])
    assert query(warehouse, "select reason from raw_duplicates") == [("copy",)]


def test_conflict_across_files_flags_the_match_and_the_first_counts(tmp_path: Path) -> None:
    warehouse = ingest_files(tmp_path, match(), [other_score(record(3))])
    assert [code for code, _ in codes(warehouse)] == ["conflicting-deal", "wrong-score"]
    (found,) = query(
        warehouse, "select line, file_name, expected from findings where code = 'conflicting-deal'"
    )
    assert found == (1, str(tmp_path / "1.jsonl"), f"the same as line 3 of {tmp_path / '0.jsonl'}")
    assert query(warehouse, "select has_conflict, deals from raw_matches") == [(True, 10)]
    assert query(warehouse, "select claimed_score from deals where deal = 3") == [
        (record(3)["claimed"]["score"],)
    ]


def test_shorter_copy_gives_way_whichever_came_first(tmp_path: Path) -> None:
    for name, files in (
        ("short-first", ([cut_off(record(3))], match())),
        ("whole-first", (match(), [cut_off(record(3))])),
    ):
        (tmp_path / name).mkdir()
        warehouse = ingest_files(tmp_path / name, *files)
        assert query(warehouse, "select reason from raw_duplicates") == [("shorter",)]
        assert query(warehouse, "select outcome <> 'unfinished' from deals where deal = 3") == [(True,)]
        assert query(warehouse, "select has_conflict from raw_matches") == [(False,)]


def test_a_chunk_that_two_files_share_counts_once(tmp_path: Path) -> None:
    shared = match()
    logs = [
        write_log(tmp_path / "a.jsonl", [*shared, *match("m2"), "bad"]),
        write_log(tmp_path / "b.jsonl", [*shared, *match("m3"), "worse"]),
    ]
    chunk_bytes = sum(len(line) + 1 for line in logs[0].read_bytes().split(b"\n")[:10])
    report = ingest(logs, tmp_path / "w", chunk_bytes=chunk_bytes)
    assert [(f.accepted, f.quarantined, f.skipped) for f in report.files] == [(20, 1, 0), (10, 1, 10)]
    store = Warehouse(tmp_path / "w")
    first, second = store.rows()
    assert first.chunks[0].part == second.chunks[0].part
    assert count(store, "raw_deals") == 40
    assert count(store, "deals") == 30
    assert query(store, "select count_accepted, count_skipped from files order by file_name") == [
        (20, 0),
        (10, 10),
    ]


def test_deals_that_stand_on_one_line_are_told_apart(tmp_path: Path) -> None:
    sample = PROJECT / "data" / "samples" / "baloot-archive" / "archive.jsonl"
    (file,) = ingest(sample, tmp_path / "w").files
    places, deals = "count(distinct (line, byte)), count(distinct line)", "count(distinct (match, deal))"
    ((stored, lines, known),) = query(tmp_path / "w", f"select {places}, {deals} from raw_deals")
    assert lines < known <= stored == file.read - file.quarantined
    assert count(tmp_path / "w", "deals") == known == file.accepted
    assert count(tmp_path / "w", "raw_duplicates") == stored - known == file.skipped
