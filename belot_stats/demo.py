"""The demonstration: sample logs and a simulation into a warehouse, audited, and one page of all reports."""

from __future__ import annotations

import shutil
from pathlib import Path

from belot_stats.commands.asking import run_audit
from belot_stats.commands.common import say
from belot_stats.commands.making import simulate_into
from belot_stats.commands.reading import run_ingest, show_ingest
from belot_stats.commands.reporting import answer, write_page
from belot_stats.errors import UsageError
from belot_stats.queries import list_reports
from belot_stats.resources import resource
from belot_stats.ruleset import load_ruleset
from belot_stats.simulator.job import SimulationJob
from belot_stats.warehouse import Warehouse

SAMPLES = (("samples/bhh", None, None), ("samples/baloot-archive", "baloot-archive", "baloot-archive-server"))
SIMULATIONS = (("belot-bg", "sensible", 150), ("belot-bg-classic", "sensible", 100))
SEED = 2026
PARAMETERS = {"by_position": False, "min_deals": 10}  # few enough rows to look at


def run_demo(out: Path, quiet: bool = False) -> Path:
    """Make the warehouse ``out/warehouse`` and the page ``out/report.html``, which is returned.

    Raises: UsageError where *out* holds something else; WarehouseError.
    """
    warehouse = _empty_warehouse(out)
    for rules, policy, matches in SIMULATIONS:
        if not quiet:
            say(f"simulating {matches} matches of {rules} ({policy} players)")
        simulate_into(
            SimulationJob(load_ruleset(rules), policy, SEED, "matches"),
            range(1, matches + 1),
            warehouse,
            quiet=quiet,
        )
    for folder, format_name, rules_name in SAMPLES:
        logs = _copied_logs(folder, out / "logs")
        report = run_ingest(logs, warehouse, format_name, rules=rules_name, jobs=1, quiet=quiet)
        if not quiet:
            show_ingest(report)
    store = Warehouse(warehouse)
    run_audit(store, quiet=quiet)
    names = [item.name for item in list_reports()]
    page = write_page(answer(store, names, PARAMETERS, []), out, warehouse)
    say(f"the logs are in {(out / 'logs').resolve()}, the warehouse is {warehouse.resolve()}")
    say(f"the report is {page.resolve()}")
    return page


def _copied_logs(folder: str, logs: Path) -> list[str]:
    """The sample logs of *folder*, copied into *logs*, where they can be looked at."""
    logs.mkdir(parents=True, exist_ok=True)
    found = sorted(
        path for path in resource("data", folder).glob("*.jsonl*") if ".expected." not in path.name
    )
    return [str(shutil.copyfile(path, logs / path.name)) for path in found]


def _empty_warehouse(out: Path) -> Path:
    """Folder for the demonstration's warehouse; one of an earlier demonstration is made anew."""
    warehouse = out / "warehouse"
    if warehouse.exists():
        if not (warehouse / "ledger").is_dir():
            raise UsageError(
                f"{warehouse}: is no warehouse of an earlier demonstration: name another folder with --out"
            )
        shutil.rmtree(warehouse)
    return warehouse
