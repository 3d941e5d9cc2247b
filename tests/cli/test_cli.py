"""The command line, in one process: what each command prints, writes and returns."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from belot_stats.cli import run

PROJECT = Path(__file__).resolve().parents[2]
SAMPLES = PROJECT / "data" / "samples"
CLEAN, DAMAGED = SAMPLES / "bhh" / "belot-bg.jsonl", SAMPLES / "bhh" / "belot-bg-damaged.jsonl"


def words(capfd: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    """Exit code, stdout and stderr of a command."""
    code = run([str(argument) for argument in arguments])
    out, err = capfd.readouterr()
    assert "Traceback" not in out + err
    return code, out, err


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A warehouse of the sample logs, one clean and one damaged."""
    path = tmp_path_factory.mktemp("cli") / "warehouse"
    assert run(["ingest", str(CLEAN), "-w", str(path), "--jobs", "1", "--quiet"]) == 0
    assert run(["ingest", str(DAMAGED), "-w", str(path), "--jobs", "1", "--quiet"]) == 1
    return path


COMMANDS = (
    "demo", "ingest", "audit", "findings", "show", "report", "simulate", "export", "compact", "sql", "run", "doctor",
    "rules list", "rules show", "rules diff", "quarantine list", "quarantine requeue",
)  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(command: str, capfd: pytest.CaptureFixture[str]) -> None:
    code, out, _ = words(capfd, *command.split(), "--help")
    assert code == 0
    assert "Example: belot-stats" in " ".join(out.split())


def test_help_names_every_command(capfd: pytest.CaptureFixture[str]) -> None:
    _, out, _ = words(capfd, "--help")
    assert {command.split()[0] for command in COMMANDS} <= set(out.split())


def test_every_command_stands_in_the_readme() -> None:
    readme = (PROJECT / "README.md").read_text(encoding="utf-8")
    missing = [command for command in COMMANDS if f"belot-stats {command}" not in readme]
    assert missing == []


def test_ingest_balances_and_tells(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    code, out, _ = words(capfd, "ingest", DAMAGED, "-w", tmp_path / "w", "--jobs", "1", "--json")
    report = json.loads(out)["files"][0]
    assert code == 1
    assert report["read"] == report["accepted"] + report["quarantined"] + report["skipped"]
    assert report["quarantined"] > 0


def test_audit_of_a_clean_log_returns_0(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    run(["ingest", str(CLEAN), "-w", str(tmp_path / "w"), "--jobs", "1", "--quiet"])
    code, out, err = words(capfd, "audit", "-w", tmp_path / "w", "--recheck")
    assert code == 0
    assert "0 differ" in err
    assert "nothing found" in err
    assert "Balance of records" in out


def test_audit_takes_processes_or_a_cluster(warehouse: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert words(capfd, "audit", "-w", warehouse, "--jobs", "2")[0] == 1
    code, _, err = words(capfd, "audit", "-w", warehouse, "--jobs", "2", "--scheduler", "tcp://127.0.0.1:1")
    assert (code, "either --jobs or --scheduler" in err) == (2, True)


def test_ingest_and_audit_in_one_command(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "cut.jsonl"
    log.write_bytes(b"".join(CLEAN.read_bytes().splitlines(keepends=True)[:3]))
    code, out, err = words(capfd, "ingest", CLEAN, "-w", tmp_path / "whole", "--audit")
    assert code == 0
    assert CLEAN.name in out
    assert "nothing found" in err
    assert "audit follows" not in err
    code, out, err = words(capfd, "ingest", log, "-w", tmp_path / "cut", "--audit")
    assert code == 1
    assert "match-unfinished" in out
    assert err.splitlines()[-1] == "1 finding"
    code, out, _ = words(capfd, "ingest", log, tmp_path / "none", "-w", tmp_path / "cut", "--audit", "--json")
    assert code == 3


def test_ingest_and_audit_as_one_json_document(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    code, out, _ = words(capfd, "ingest", DAMAGED, "-w", tmp_path / "w", "--audit", "--json")
    told = json.loads(out)
    assert code == 1
    assert told["ingest"]["files"][0]["quarantined"] > 0
    assert told["audit"]["audit-summary"]["rows"]


def test_an_audit_that_stops_leaves_no_half_of_a_document(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    run(["ingest", str(DAMAGED), "-w", str(tmp_path / "w"), "--quiet"])
    for part in (tmp_path / "w" / "findings").glob("*.parquet"):
        part.write_bytes(b"garbage")
    code, out, err = words(capfd, "ingest", CLEAN, "-w", tmp_path / "w", "--audit", "--json")
    assert (code, out) == (3, "")
    assert "findings" in err


def test_audit_of_a_damaged_log_returns_1(warehouse: Path, capfd: pytest.CaptureFixture[str]) -> None:
    code, out, _ = words(capfd, "audit", "-w", warehouse, "--json")
    assert code == 1
    assert {"record-balance", "audit-summary", "unsettled-rules"} == set(json.loads(out))


def test_findings_as_json_lines_have_every_field(warehouse: Path, capfd: pytest.CaptureFixture[str]) -> None:
    code, out, _ = words(capfd, "findings", "-w", warehouse, "--format", "jsonl")
    rows = [json.loads(line) for line in out.splitlines()]
    fields = {
        "file",
        "line",
        "source",
        "match",
        "deal",
        "seat",
        "trick",
        "card",
        "code",
        "severity",
        "expected",
        "found",
    }
    assert code == 0
    assert rows
    assert all(fields <= set(row) for row in rows)
    assert {"unreadable-line", "bad-card"} <= {row["code"] for row in rows}


def test_findings_are_filtered(warehouse: Path, capfd: pytest.CaptureFixture[str]) -> None:
    _, out, _ = words(capfd, "findings", "-w", warehouse, "--code", "bad-card", "--format", "jsonl")
    assert {json.loads(line)["code"] for line in out.splitlines()} == {"bad-card"}
    code, _, err = words(capfd, "findings", "-w", warehouse, "--code", "bad-crad")
    assert code == 2
    assert "bad-card" in err


def test_show_replays_a_deal_from_the_warehouse_and_from_a_log(
    warehouse: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    match = json.loads(CLEAN.read_text(encoding="utf-8").splitlines()[0])["match"]
    code, from_warehouse, _ = words(capfd, "show", f"{match}/1", "-w", warehouse)
    assert code == 0
    assert words(capfd, "show", f"{CLEAN}:1")[1].splitlines()[2:10] == from_warehouse.splitlines()[2:10]
    for part in ("Hands", "Auction", "Tricks", "Score sheet", "Findings"):
        assert part in from_warehouse


@pytest.mark.parametrize("address", ["nowhere/1", "m", "m/x", "/3"])
def test_show_of_nothing_says_so(address: str, warehouse: Path, capfd: pytest.CaptureFixture[str]) -> None:
    code, out, err = words(capfd, "show", address, "-w", warehouse)
    assert (code, out) == (2, "")
    assert address.split("/", maxsplit=1)[0] in err


@pytest.mark.parametrize("form", ["table", "csv", "json", "jsonl", "html", "svg"])
def test_a_report_in_every_text_format(form: str, warehouse: Path, capfd: pytest.CaptureFixture[str]) -> None:
    code, out, _ = words(capfd, "report", "contract-success", "-w", warehouse, "--format", form)
    assert code == 0
    assert "made" in out


def test_a_report_to_files(warehouse: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for form, magic in (("png", b"\x89PNG"), ("parquet", b"PAR1")):
        path = tmp_path / f"x.{form}"
        assert words(capfd, "report", "contract-success", "-w", warehouse, "-f", form, "-o", path)[0] == 0
        assert path.read_bytes().startswith(magic)
    assert words(capfd, "report", "--all", "-w", warehouse, "--html", tmp_path / "page")[0] == 0
    page = (tmp_path / "page" / "report.html").read_text(encoding="utf-8")
    assert "Contract success" in page
    assert "http://" not in page.replace("http://www.w3.org", "")


def test_unknown_reports_and_parameters_name_the_nearest(
    warehouse: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    code, _, err = words(capfd, "report", "contract-sucess", "-w", warehouse)
    assert (code, "contract-success" in err) == (2, True)
    code, _, err = words(capfd, "report", "contract-success", "-w", warehouse, "-p", "by_levl=false")
    assert (code, "by_level" in err) == (2, True)


def test_simulated_matches_read_back_clean(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    log, store = tmp_path / "s.jsonl.gz", tmp_path / "w"
    assert words(capfd, "simulate", "--matches", 4, "--seed", 3, "-o", log)[0] == 0
    assert words(capfd, "ingest", log, "-w", store, "--jobs", 1)[0] == 0
    assert words(capfd, "audit", "-w", store)[0] == 0


@pytest.mark.parametrize("unit", ["--deals", "--matches"])
def test_simulation_into_a_warehouse_is_clean(
    unit: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    store = tmp_path / "w"
    for _ in range(2):  # the same run again adds nothing
        assert words(capfd, "simulate", unit, 5, "-w", store, "--jobs", 1)[0] == 0
        _, out, _ = words(
            capfd,
            "sql",
            "select count(*) as n, count(distinct match) as m from deals",
            "-w",
            store,
            "-f",
            "jsonl",
        )
        counts = json.loads(out)
        assert counts["m"] == 5
        assert counts["n"] >= 5
    assert words(capfd, "audit", "-w", store)[0] == 0


def test_a_policy_is_found_in_the_current_folder(tmp_path: Path) -> None:
    """As an installed command does, Python is started without the current folder in its path."""
    (tmp_path / "own.py").write_text(
        "from belot_stats.simulator.policies import RandomPolicy\n"
        "class Shy(RandomPolicy):\n"
        "    name = 'shy'\n"
        "    def choose_call(self, view, stream):\n"
        "        return 6 if view.calls and view.legal_calls >> 6 & 1 else super().choose_call(view, stream)\n"
    )
    start = "import sys; from belot_stats.cli import run; sys.exit(run(sys.argv[1:]))"
    words = "simulate --policy own:Shy,sensible --matches 3 --output own.jsonl"
    done = subprocess.run(
        [sys.executable, "-P", "-c", start, *words.split()],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in (tmp_path / "own.jsonl").read_text().splitlines()]
    assert {tuple(line["players"]) for line in lines} == {("shy-0", "sensible-1", "shy-2", "sensible-3")}


def test_simulation_wants_one_number(capfd: pytest.CaptureFixture[str]) -> None:
    assert words(capfd, "simulate")[0] == 2
    assert words(capfd, "simulate", "--deals", 1, "--matches", 1)[0] == 2
    code, _, err = words(capfd, "simulate", "--deals", 1, "--set", "bidding=stated")
    assert code == 2
    assert "stated" in err


def test_export_and_reading_again_lose_nothing(
    warehouse: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    first, second = tmp_path / "1.jsonl", tmp_path / "2.jsonl"
    assert words(capfd, "export", "-w", warehouse, "-o", first)[0] == 0
    assert words(capfd, "export", first, "-o", second)[0] == 0
    assert first.read_bytes() == second.read_bytes() != b""


def test_export_of_a_foreign_log(capfd: pytest.CaptureFixture[str]) -> None:
    archive = next((SAMPLES / "baloot-archive").glob("*.jsonl"))
    _, out, _ = words(capfd, "export", archive)
    assert all(json.loads(line)["format"] == "bhh/1" for line in out.splitlines())


def test_rules_are_listed_shown_and_compared(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert "belot-bg-classic" in words(capfd, "rules", "list")[1]
    assert "B93" in words(capfd, "rules", "show", "belot-bg")[1]
    assert "sequence_cap" in words(capfd, "rules", "diff", "belot-bg", "belot-bg-classic")[1]
    own = tmp_path / "club.toml"
    own.write_text(
        'name = "club"\nbased_on = "belot-bg"\ntarget = 101\n[play]\ncannot_overruff = "undertrump"\n'
    )
    assert "101" in words(capfd, "rules", "diff", "belot-bg", own)[1]


def test_a_rule_file_with_a_typo_names_the_key_and_the_nearest(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    own = tmp_path / "club.toml"
    own.write_text('based_on = "belot-bg"\ntargte = 101\n')
    code, _, err = words(capfd, "rules", "show", own)
    assert code == 2
    assert "targte" in err
    assert "'target'" in err


def test_quarantine_is_listed_and_read_again(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    record = json.loads(CLEAN.read_text(encoding="utf-8").splitlines()[0])
    del record["rules"]
    log, store = tmp_path / "norules.jsonl", tmp_path / "w"
    log.write_text(json.dumps(record) + "\n", encoding="utf-8")
    assert words(capfd, "ingest", log, "-w", store, "--jobs", 1)[0] == 1
    assert "missing-field" in words(capfd, "quarantine", "list", "-w", store)[1]
    assert words(capfd, "quarantine", "requeue", "-w", store, "--rules", "belot-bg")[0] == 0
    assert words(capfd, "quarantine", "list", "-w", store)[1] == ""
    assert words(capfd, "sql", "select count(*) from deals", "-w", store, "-f", "csv")[1].split() == [
        "count_star()",
        "1",
    ]


def test_run_files(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "a.jsonl").write_bytes(CLEAN.read_bytes())
    job = tmp_path / "job.toml"
    job.write_text(
        '[ingest]\nlogs = ["logs"]\njobs = 1\n[audit]\n[report]\nnames = ["contract-success"]\nhtml = "out"\n'
    )
    assert words(capfd, "run", job)[0] == 0
    assert (tmp_path / "out" / "report.html").exists()
    job.write_text('[ingset]\nlogs = ["logs"]\n')
    code, _, err = words(capfd, "run", job)
    assert (code, "'ingest'" in err) == (2, True)


@pytest.mark.parametrize("name", sorted(path.name for path in (PROJECT / "pipelines").glob("*.toml")))
def test_shipped_run_files_are_valid(name: str) -> None:
    from belot_stats.pipelines import read_run_file

    assert read_run_file(Path(name)).title


def test_sql_errors_are_said_not_thrown(warehouse: Path, capfd: pytest.CaptureFixture[str]) -> None:
    code, out, err = words(capfd, "sql", "selec 1", "-w", warehouse)
    assert (code, out) == (2, "")
    assert "sql:" in err


def test_a_missing_warehouse_and_a_missing_log(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert words(capfd, "audit", "-w", tmp_path / "none")[0] == 3
    code, _, err = words(capfd, "ingest", tmp_path / "none.jsonl", "-w", tmp_path / "w")
    assert code == 3
    assert "none.jsonl" in err


def test_doctor_is_well(capfd: pytest.CaptureFixture[str]) -> None:
    code, out, _ = words(capfd, "doctor", "--json")
    assert code == 0
    assert {row["status"] for row in json.loads(out)} == {"ok"}


def test_usage_errors_return_2(capfd: pytest.CaptureFixture[str]) -> None:
    assert words(capfd, "ingest")[0] == 2
    assert words(capfd, "no-such-command")[0] == 2
    assert words(capfd, "ingest", CLEAN, "--rules", "belot-bgg")[0] == 2


@pytest.mark.parametrize("damage", [b"", b"PAR1 and more", None])
@pytest.mark.parametrize("folder", ["deals", "findings"])
def test_a_damaged_part_is_named_with_the_way_out(
    folder: str, damage: bytes | None, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    store = tmp_path / "a warehouse"
    run(["ingest", str(CLEAN), "-w", str(store), "--jobs", "1", "--quiet"])
    (path,) = (store / folder).glob("*.parquet")
    path.unlink()
    if damage is not None:
        path.write_bytes(damage)
    for command in ("audit", "findings", "report contract-success", "export -o /dev/null"):
        code, _, err = words(capfd, *command.split(), "-w", store)
        if code != 0:  # export and some reports do not need every part
            assert code == 3
            assert str(path) in err
            assert "ingest its log again" in err
    assert words(capfd, "findings", "-w", store)[0] == 3
    assert words(capfd, "ingest", CLEAN, "-w", store, "--jobs", 1)[0] == 0
    assert words(capfd, "findings", "-w", store)[0] == 0


def test_a_rule_file_of_ones_own_works_everywhere(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    own, log, store = tmp_path / "club.toml", tmp_path / "club.jsonl", tmp_path / "w"
    own.write_text(
        'name = "club"\nbased_on = "belot-bg"\ntarget = 101\ncapot_points = 100\ncannot_overruff = "undertrump"\n'
    )
    assert words(capfd, "simulate", "--rules", own, "--matches", 6, "--seed", 5, "-o", log)[0] == 0
    assert words(capfd, "ingest", log, "--rules", own, "-w", store, "--jobs", 1)[0] == 0
    assert words(capfd, "audit", "-w", store, "--recheck")[0] == 0
    _, out, _ = words(capfd, "report", "contract-success", "-w", store, "--rules", "club", "-f", "jsonl")
    assert {json.loads(line)["rules"] for line in out.splitlines()} == {"club"}
    _, out, _ = words(
        capfd, "sql", "select max(total_0), max(total_1) from deals", "-w", store, "-f", "jsonl"
    )
    assert all(101 <= total < 151 for total in json.loads(out).values())
    other = tmp_path / "other"
    assert words(capfd, "ingest", log, "--force-rules", "belot-bg", "-w", other, "--jobs", 1)[0] in (0, 1)
    assert words(capfd, "audit", "-w", other, "-q")[0] == 1  # to 151 those matches are not finished


@pytest.mark.parametrize("form", ["table", "json", "parquet"])
@pytest.mark.parametrize(
    "query",
    [
        "select 1 as a, 2 as a",
        "select 170141183460469231731687303715884105727 as x",
        "select date '290000-01-01' as d",
        "select interval 1 day as i",
    ],
)
def test_answers_that_no_table_holds_are_said(
    query: str, form: str, warehouse: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    code, _, err = words(capfd, "sql", query, "-w", warehouse, "-f", form, "-o", tmp_path / "x")
    assert code in (0, 2)
    assert code == 0 or "sql:" in err


@pytest.mark.parametrize("redirection", [">&-", "2>&-", "<&-", ">/dev/full", "2>/dev/full"])
def test_closed_and_full_streams_make_no_traceback(redirection: str, warehouse: Path, tmp_path: Path) -> None:
    for arguments in ("rules list", f"findings -w {warehouse}", f"ingest {CLEAN} -w {tmp_path / 'w'} -j 1"):
        command = f"{sys.executable} -m belot_stats.cli {arguments} {redirection}"
        done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False, timeout=120)
        assert "Traceback" not in done.stdout + done.stderr
        assert done.returncode in (0, 3)


@pytest.mark.parametrize("encoding", ["ascii", "cp1251"])
def test_a_terminal_of_few_characters_is_no_error(encoding: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "belot_stats.cli", "show", f"{CLEAN}:1"],
        capture_output=True,
        check=False,
        timeout=120,
        env={**os.environ, "PYTHONIOENCODING": encoding},
    )
    assert (done.returncode, done.stderr) == (0, b"")
