"""Opening a warehouse, and asking it."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from belot_stats.errors import NewerWarehouseError, WarehouseError
from belot_stats.findings import FINDING_BITS
from belot_stats.ingest import ingest
from belot_stats.ledger import read_row, row_bytes
from belot_stats.resources import resource
from belot_stats.rows import deal_of
from belot_stats.schema import schema, schema_version, table_names
from belot_stats.warehouse import Warehouse
from tests.store.logs import count, cut_off, match, query, record, write_log

RAW_TABLES = {
    "raw_deals": "deals",
    "raw_findings": "findings",
    "raw_quarantine": "quarantine",
    "raw_ledger": "ledger",
    "raw_duplicates": "duplicates",
    "raw_standings": "standings",
    "raw_matches": "matches",
    "raw_match_findings": "findings",
}
ADDED = {
    "raw_deals": ["part"],
    "raw_findings": ["part"],
    "raw_quarantine": ["part"],
    "raw_match_findings": ["file"],
}
RELATIONS = ("deals", "findings", "quarantine", "files", "matches")


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("stored")
    ingest(write_log(folder / "a.jsonl", [*match(), *match("m2"), "bad", record(2)]), folder / "w")
    return folder / "w"


@pytest.mark.parametrize("view", RAW_TABLES)
def test_raw_views_have_the_columns_of_the_dictionary(stored: Path, tmp_path: Path, view: str) -> None:
    expected = [*schema(RAW_TABLES[view]).names, *ADDED.get(view, [])]
    for store in (Warehouse(stored), Warehouse(tmp_path / "empty", create=True)):
        described = store.sql(f"describe {view}").fetchall()
        assert [row[0] for row in described] == expected


def test_empty_warehouse_answers(tmp_path: Path) -> None:
    store = Warehouse(tmp_path / "w", create=True)
    assert [count(store, name) for name in (*RAW_TABLES, *RELATIONS)] == [0] * 13


def test_types_of_an_empty_warehouse_are_those_of_a_full_one(stored: Path, tmp_path: Path) -> None:
    empty = Warehouse(tmp_path / "w", create=True)
    for view in RAW_TABLES:
        types = [
            [row[:2] for row in store.sql(f"describe {view}").fetchall()]
            for store in (Warehouse(stored), empty)
        ]
        assert types[0] == types[1], view


def test_there_is_none(tmp_path: Path) -> None:
    with pytest.raises(WarehouseError, match="there is no warehouse"):
        Warehouse(tmp_path / "nowhere")
    (tmp_path / "folder").mkdir()
    write_log(tmp_path / "folder" / "a.jsonl", match())
    for create in (False, True):
        with pytest.raises(WarehouseError, match="no warehouse"):
            Warehouse(tmp_path / "folder", create=create)
        with pytest.raises(WarehouseError, match="found a file"):
            Warehouse(tmp_path / "folder" / "a.jsonl", create=create)
    with pytest.raises(WarehouseError, match="no storage"):
        Warehouse("ftp://server/warehouse")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder"]


def test_an_empty_folder_becomes_one(tmp_path: Path) -> None:
    (tmp_path / "w").mkdir()
    assert count(Warehouse(tmp_path / "w", create=True), "deals") == 0


def test_newer_warehouse_is_refused(tmp_path: Path) -> None:
    ingest(write_log(tmp_path / "a.jsonl", match()), tmp_path / "w")
    (path,) = (tmp_path / "w" / "ledger").glob("*.parquet")
    table = pq.read_table(path)
    newer = {
        **table.schema.metadata,
        b"schema_version": str(schema_version() + 1).encode(),
        b"engine_version": b"9.9",
    }
    pq.write_table(table.replace_schema_metadata(newer), path)
    with pytest.raises(NewerWarehouseError, match=r"belot-stats 9\.9"):
        Warehouse(tmp_path / "w").sql("select 1")


def test_a_file_that_is_no_ledger_row_is_named(tmp_path: Path) -> None:
    store = Warehouse(tmp_path / "w", create=True)
    pq.write_table(pa.table({"a": [1]}), tmp_path / "w" / "ledger" / "x.parquet")
    with pytest.raises(WarehouseError, match=r"x\.parquet"):
        store.rows()
    (tmp_path / "w" / "ledger" / "x.parquet").write_bytes(b"PAR1")
    with pytest.raises(WarehouseError, match=r"x\.parquet"):
        store.rows()


@pytest.mark.parametrize("folder", ["deals", "findings", "quarantine"])
@pytest.mark.parametrize("damage", ["junk", "cut", "gone"])
def test_reading_the_log_again_mends_a_damaged_part(folder: str, damage: str, tmp_path: Path) -> None:
    log = tmp_path / "damaged.jsonl"
    log.write_bytes(resource("data", "samples/bhh/belot-bg-damaged.jsonl").read_bytes())
    ingest(log, tmp_path / "w")
    (path,) = (tmp_path / "w" / folder).glob("*.parquet")
    whole = path.read_bytes()
    if damage == "gone":
        path.unlink()
    else:
        path.write_bytes(b"PAR1 and more" if damage == "junk" else whole[:-1])
    ingest(log, tmp_path / "w")
    assert path.read_bytes() == whole


def test_half_written_files_are_not_seen(tmp_path: Path) -> None:
    ingest(write_log(tmp_path / "a.jsonl", match()), tmp_path / "w")
    for folder in ("deals", "ledger", "findings", "derived"):
        (tmp_path / "w" / folder / ".abc.parquet.123.tmp").write_bytes(b"half")
    assert count(tmp_path / "w", "deals") == 10


def test_parameters_and_relations(stored: Path) -> None:
    store = Warehouse(stored)
    assert store.sql("select count(*) from deals where match = $name", {"name": "m2"}).fetchall() == [(10,)]
    assert store.sql("select count(*) from deals where deal > ?", [8]).fetchall() == [(4,)]
    assert store.sql("select * from deals where deal = 1").df()["match"].tolist() == ["m1", "m2"]


def test_positions_are_counted_in_the_file(stored: Path) -> None:
    log = stored.parent / "a.jsonl"
    data = log.read_bytes()
    for line, byte, match_name, deal in query(stored, "select line, byte, match, deal from deals"):
        text = data[byte:].split(b"\n", 1)[0]
        assert data.split(b"\n")[line - 1] == text
        assert f'"match": "{match_name}"'.encode() in text
        assert f'"deal": {deal}'.encode() in text


def test_same_connection_until_something_changes(tmp_path: Path) -> None:
    ingest(write_log(tmp_path / "a.jsonl", match("m1")), tmp_path / "w")
    store = Warehouse(tmp_path / "w")
    connection = store.connection()
    assert store.connection() is connection
    ingest(write_log(tmp_path / "b.jsonl", match("m2")), tmp_path / "w")
    assert count(store, "deals") == 20
    assert store.connection() is not connection


def test_stored_parts_are_sorted_and_say_their_versions(stored: Path) -> None:
    for folder in ("deals", "findings", "quarantine"):
        (path,) = (stored / folder).glob("*.parquet")
        table = pq.read_table(path)
        assert table.schema.names == schema(folder).names
        assert table.schema.metadata[b"schema_version"] == str(schema_version()).encode()
        assert b"engine_version" in table.schema.metadata
    (path,) = (stored / "deals").glob("*.parquet")
    keys = [
        tuple(row.values())
        for row in pq.read_table(path, columns=["source", "match", "deal", "line"]).to_pylist()
    ]
    assert keys == sorted(keys)


def test_every_table_has_a_schema() -> None:
    for table in table_names():
        assert len(schema(table)) > 3
    assert schema("deals").field("started_at").type == pa.timestamp("us", "UTC")
    assert not schema("deals").field("source").nullable
    assert schema("deals").field("auction").nullable
    with pytest.raises(WarehouseError, match="no table 'deal'"):
        schema("deal")


def test_deals_come_back_as_they_were(tmp_path: Path) -> None:
    from belot_stats.deal import Deal
    from belot_stats.readers import read_log

    log = write_log(
        tmp_path / "a.jsonl",
        [*match(), cut_off(record(3, match="m2")), record(1, match="m3", _note={"a": [1]}, odd="x")],
    )
    ingest(log, tmp_path / "w")
    (path,) = (tmp_path / "w" / "deals").glob("*.parquet")
    back = {(deal.match, deal.deal): deal for deal in map(deal_of, pq.read_table(path).to_pylist())}
    written = {(deal.match, deal.deal): deal for deal in read_log(log) if isinstance(deal, Deal)}
    assert back == written
    assert len(back) == 12


def test_finding_bits_name_the_findings(tmp_path: Path) -> None:
    ingest(
        write_log(tmp_path / "a.jsonl", [record(2, plays=" ".join(record(2)["plays"].split()[:9]))]),
        tmp_path / "w",
    )
    ((bits, number),) = query(tmp_path / "w", "select finding_bits, finding_count from raw_deals")
    found = [code for (code,) in query(tmp_path / "w", "select code from raw_findings")]
    assert len(found) == number
    assert bits == sum(FINDING_BITS[code] for code in set(found))


def test_ledger_rows_come_back_as_they_were(stored: Path) -> None:
    store = Warehouse(stored)
    (row,) = store.rows()
    store.storage.write("ledger/copy.parquet", row_bytes(row))
    try:
        assert read_row(store.storage, "ledger/copy.parquet") == row
    finally:
        store.storage.remove("ledger/copy.parquet")


def test_each_side_has_columns_of_its_own(stored: Path) -> None:
    query = """
        select points_0 = points[1] and points_1 = points[2], score_0 = score[1] and score_1 = score[2],
            points_2 is null and score_2 is null
        from deals where is_scored"""
    rows = Warehouse(stored).sql(query).fetchall()
    assert rows
    assert set(rows) == {(True, True, True)}


def test_what_memory_cannot_hold_is_set_aside_on_disk(tmp_path: Path) -> None:
    store = Warehouse(tmp_path / "w", create=True, memory_limit="200MB")
    store.connection().execute("set threads = 2")
    query = "select i, md5(i::varchar) as text from range(6_000_000) as numbers (i) order by text"
    reader = store.sql(query).to_arrow_reader(100_000)
    first = reader.read_next_batch()
    assert list((tmp_path / "w" / "derived" / ".spill").rglob("duckdb_temp*"))
    assert first.num_rows + sum(batch.num_rows for batch in reader) == 6_000_000


@pytest.mark.parametrize("older", ["a", "b"])
def test_parts_of_an_older_version_may_lack_columns(tmp_path: Path, older: str) -> None:
    for name in ("a", "b"):
        ingest(write_log(tmp_path / f"{name}.jsonl", match(name)), tmp_path / "w")
    store = Warehouse(tmp_path / "w")
    row = next(row for row in store.rows() if row.names[0].endswith(f"{older}.jsonl"))
    path = tmp_path / "w" / "deals" / f"{row.chunks[0].part}.parquet"
    pq.write_table(pq.read_table(path).drop_columns(["started_at"]), path)
    store.ledger.replace(msgspec.structs.replace(row, engine_version="0.0.1"))
    found = query(
        tmp_path / "w", "select match, count(*), count(started_at) from raw_deals group by all order by all"
    )
    assert [(name, deals) for name, deals, _ in found] == [("a", 10), ("b", 10)]
    assert [times > 0 for _, _, times in found] == [older == "b", older == "a"]
    assert query(tmp_path / "w", "select match, deals from raw_matches order by all") == [
        ("a", 10),
        ("b", 10),
    ]
