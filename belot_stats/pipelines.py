"""Run files: a whole job written down in TOML - what to read or simulate, where to, and which reports.

warehouse = "warehouse"            # beside the run file, like every path in it
[simulate]                         # either or both of [simulate] and [ingest]
rules = "belot-bg"                 # also: set = { target = 101 }
matches = 200                      # or deals = 100000
policy = "sensible"
seed = 1
[ingest]
logs = ["logs/*.jsonl.gz"]         # also: format, source, rules, force_rules, set, jobs, scheduler
[audit]                            # follow the matches and sum up the findings; recheck = true; also: jobs, scheduler
[report]
names = ["contract-success"]       # all of them without it
html = "reports"                   # folder for the page; also: parameters = { rules = "belot-bg" }, reports = "mine"
"""

from __future__ import annotations

import difflib
import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from belot_stats.errors import UsageError
from belot_stats.resources import resource_folder

if TYPE_CHECKING:
    pass


class SimulateStep(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """What to simulate."""

    rules: str = "belot-bg"
    set: dict[str, Any] = {}
    deals: int | None = None
    matches: int | None = None
    policy: str = "sensible"
    seed: int = 1
    first: int = 1
    jobs: int = 0
    scheduler: str | None = None


class IngestStep(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """What to read."""

    logs: list[str]
    format: str | None = None
    source: str | None = None
    rules: str | None = None
    force_rules: str | None = None
    set: dict[str, Any] = {}
    jobs: int = 0
    scheduler: str | None = None


class AuditStep(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """Whether to run the deal pass again too."""

    recheck: bool = False
    jobs: int = 0
    scheduler: str | None = None


class ReportStep(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """Which reports, and where to."""

    names: list[str] = []
    html: str | None = None
    parameters: dict[str, Any] = {}
    reports: str | None = None


class RunFile(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A run file; the steps are done in this order."""

    title: str = ""
    warehouse: str = "warehouse"
    simulate: SimulateStep | None = None
    ingest: IngestStep | None = None
    audit: AuditStep | None = None
    report: ReportStep | None = None


def read_run_file(path: Path) -> RunFile:
    """Run file at *path*, or a shipped one by its name.

    Raises: UsageError naming the file, the key and what was expected.
    """
    path = find_run_file(path)
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as problem:
        raise UsageError(f"{path}: cannot be read: {problem}") from None
    except (ValueError, RecursionError) as problem:
        raise UsageError(f"{path}: not valid TOML: {problem}") from None
    _check_keys(path, document)
    try:
        return msgspec.convert(document, RunFile)
    except msgspec.ValidationError as problem:
        raise UsageError(f"{path}: {problem}") from None


def find_run_file(path: Path) -> Path:
    """*path* itself, or the run file that comes with the program under that name.

    Raises: UsageError.
    """
    if path.exists():
        return path
    folder = resource_folder("pipelines")
    for name in (path.name, f"{path.name}.toml"):
        if (folder / name).exists() and path.parent.name in ("", "pipelines"):
            return folder / name
    known = ", ".join(sorted(item.stem for item in folder.glob("*.toml")))
    raise UsageError(f"there is no run file {path}; shipped: {known}")


def _check_keys(path: Path, document: Mapping[str, Any]) -> None:
    steps = {"simulate": SimulateStep, "ingest": IngestStep, "audit": AuditStep, "report": ReportStep}
    for where, table, fields in [
        ("", document, RunFile.__struct_fields__),
        *(
            (f"[{name}] ", document[name], step.__struct_fields__)
            for name, step in steps.items()
            if isinstance(document.get(name), dict)
        ),
    ]:
        for key in table:
            if key not in fields:
                close = difflib.get_close_matches(key, fields, n=1, cutoff=0.5)
                hint = f" (did you mean {close[0]!r}?)" if close else ""
                raise UsageError(
                    f"{path}: {where}unknown key {key!r}{hint}; expected one of {', '.join(fields)}"
                )


def run_pipeline(path: Path, warehouse: str | Path | None = None, quiet: bool = False) -> int:
    """Do the job of a run file. Returns: the exit code, the worst of its steps.

    Paths in the file count from its own folder; those of a shipped file from the working directory.
    Raises: UsageError and what the steps raise.
    """
    job = read_run_file(path)
    if not (job.simulate or job.ingest or job.audit or job.report):
        raise UsageError(f"{path}: nothing to do: expected [simulate], [ingest], [audit] or [report]")
    found = find_run_file(path)
    base = Path() if found.parent == resource_folder("pipelines") else found.parent
    store_path = warehouse if warehouse is not None else _beside(base, job.warehouse)
    codes = [0]
    if job.simulate is not None:
        _simulate(job.simulate, store_path, base, quiet)
    if job.ingest is not None:
        codes.append(_ingest(job.ingest, store_path, base, quiet))
    if job.audit is not None:
        codes.append(_audit(job.audit, store_path, quiet))
    if job.report is not None:
        _report(job.report, store_path, base, quiet)
    return max(codes)


def _beside(base: Path, warehouse: str) -> str | Path:
    from belot_stats.object_storage import uri_of

    return uri_of(warehouse) or base / warehouse


def _simulate(step: SimulateStep, warehouse: str | Path, base: Path, quiet: bool) -> None:
    from belot_stats.commands.common import say
    from belot_stats.commands.making import MOST, find_modules_here, simulate_into
    from belot_stats.ruleset import load_ruleset
    from belot_stats.simulator.job import SimulationJob

    if (step.deals is None) == (step.matches is None):
        raise UsageError("[simulate]: expected either deals or matches")
    unit = "deals" if step.deals is not None else "matches"
    count = step.deals or step.matches or 0
    if not (1 <= count <= MOST and 1 <= step.first <= MOST):
        raise UsageError(f"[simulate]: {unit} and first: expected a number from 1 to {MOST}")
    find_modules_here(step.policy)
    job = SimulationJob(load_ruleset(_rules(step.rules, base), step.set), step.policy, step.seed, unit)
    stored = simulate_into(
        job, range(step.first, step.first + count), warehouse, step.jobs, quiet, step.scheduler
    )
    if not quiet:
        say(f"{stored:,} deals stored in {warehouse}")


def _rules(rules: str, base: Path) -> str:
    return str(base / rules) if rules.endswith(".toml") else rules


def _ingest(step: IngestStep, warehouse: str | Path, base: Path, quiet: bool) -> int:
    from belot_stats.commands.reading import run_ingest, show_ingest

    report = run_ingest(
        [log if log == "-" or os.path.isabs(log) else str(base / log) for log in step.logs],  # noqa: PTH117 - "-" and patterns
        warehouse,
        step.format,
        step.source,
        _rules(step.rules, base) if step.rules else None,
        _rules(step.force_rules, base) if step.force_rules else None,
        step.set,
        step.jobs,
        quiet,
        step.scheduler,
    )
    if not quiet:
        show_ingest(report)
    return report.exit_code


def _audit(step: AuditStep, warehouse: str | Path, quiet: bool) -> int:
    from belot_stats.commands.asking import run_audit
    from belot_stats.warehouse import Warehouse

    return run_audit(Warehouse(warehouse), step.recheck, quiet, jobs=step.jobs, scheduler=step.scheduler)


def _report(step: ReportStep, warehouse: str | Path, base: Path, quiet: bool) -> None:
    from belot_stats.commands.asking import prepare, print_result
    from belot_stats.commands.common import ProgressBar, say
    from belot_stats.commands.reporting import answer, write_page
    from belot_stats.queries import list_reports
    from belot_stats.warehouse import Warehouse

    folders = [base / step.reports] if step.reports else []
    names = step.names or [item.name for item in list_reports(folders)]
    store = Warehouse(warehouse)
    prepare(store, 0, None, quiet)
    with ProgressBar("answering reports", quiet) as bar:
        bar.update(0, None, f"{len(names)} reports")
        results = answer(store, names, step.parameters, folders)
    if step.html is None:
        for result in results:
            print_result(result)
    else:
        say(f"{write_page(results, base / step.html, warehouse)} written")
