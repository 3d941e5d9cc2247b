"""The measurements as pages: bench/RESULTS.md and the table of the README, from bench/measurements.json alone."""

from __future__ import annotations

import json
import statistics
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bench.measure import HERE, PROJECT, Measured
from bench.table import ROWS, Row

RESULTS = HERE / "RESULTS.md"
README = PROJECT / "README.md"
MEASUREMENTS = HERE / "measurements.json"
BEGIN, END = "<!-- figures of make bench: begin -->", "<!-- figures of make bench: end -->"
NOT_YET = "not measured yet"

Measurements = Mapping[str, Measured]


def read(path: Path = MEASUREMENTS) -> dict[str, Measured]:
    """Measurements by the key of their row; none where there is no file."""
    if not path.exists():
        return {}
    found = json.loads(path.read_text(encoding="utf-8"))
    assert isinstance(found, dict)
    return found


def write(measurements: Measurements, path: Path = MEASUREMENTS) -> None:
    """Keep *measurements*, whole or not at all."""
    new = path.with_name(f".{path.name}.new")
    new.write_text(json.dumps(measurements, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    new.replace(path)


def figure(side: Mapping[str, Any] | None) -> str:
    """The median of one side, with its unit.

    >>> figure({"unit": "deals/s", "values": [1234567.0, 3000000.0, 2000000.4]}), figure(None)
    ('2,000,000 deals/s', '–')
    """
    if side is None:
        return "–"
    value = statistics.median(side["values"])
    digits = 0 if value >= 100 else 2 if value >= 1 else 3
    return f"{value:,.{digits}f} {side['unit']}"


def judged(row: Row, measured: Measured) -> str:
    """Figures that the row is judged by, each with its verdict."""
    texts = []
    for goal in row.goals:
        value = measured["judged"][goal.name]
        name = "" if goal.name in ("ratio", "time") else f"{goal.name} "
        texts.append(f"{name}{goal.shown(value)}: {goal.verdict(value)}")
    return "; ".join(texts)


def asked(row: Row) -> str:
    """What is asked of the row."""
    texts = []
    for goal in row.goals:
        if goal.must is None:
            continue
        sign = "≤ " if goal.is_at_most else "≥ "
        aim = f" (aim {goal.aim:g})" if goal.aim is not None else ""
        texts.append(f"{sign}{goal.must:g}{goal.unit}{aim}")
    return "; ".join(texts) or "–"


def cells(row: Row, measured: Measured | None) -> list[str]:
    """Figure, peer's figure, judgement and date of a row."""
    if measured is None:
        return ["–", "–", NOT_YET, "–"]
    when = f"{measured['date']}, {measured['commit']}"
    if "skipped" in measured:
        return ["–", "–", f"not measured: {measured['skipped']}", when]
    return [figure(measured["ours"]), figure(measured.get("theirs")), judged(row, measured), when]


def table(measurements: Measurements) -> list[str]:
    """The table, a line a row."""
    lines = [
        "| what | figure | against | its figure | asked | found | when |",
        "|---|---|---|---|---|---|---|",
    ]
    for row in ROWS:
        ours, theirs, found, when = cells(row, measurements.get(row.key))
        lines.append(line_of(row.what, ours, row.against, theirs, asked(row), found, when))
    return lines


def line_of(*texts: str) -> str:
    """A line of a table."""
    return f"| {' | '.join(text.replace('|', '/') for text in texts)} |"


def results_page(measurements: Measurements) -> str:
    """RESULTS.md."""
    return "\n".join(
        [
            "# Measured",
            "",
            "Written by `make bench` (`python bench/run.py`) from `measurements.json`, which holds every single run.",
            "Figures are medians; a ratio is the median of the ratios of pairs, the two sides run in turn, each in a",
            "process of its own. *One core* is one process with one thread, kept on one processor.",
            "",
            *table(measurements),
            "",
            *environments(measurements),
            *commands(measurements),
            *details(measurements),
        ]
    )


def environments(measurements: Measurements) -> list[str]:
    """Machines and versions, and which rows were measured there."""
    found: dict[tuple[str, str], list[str]] = {}
    for row in ROWS:
        measured = measurements.get(row.key)
        if measured is not None:
            found.setdefault((measured["machine"], measured["versions"]), []).append(row.key)
    if not found:
        return []
    lines = ["## Machine and versions", ""]
    for (machine, versions), keys in found.items():
        rows = "all rows" if len(found) == 1 else ", ".join(keys)
        lines += [f"* {machine}", f"  {versions}", f"  ({rows})"]
    return [*lines, ""]


def commands(measurements: Measurements) -> list[str]:
    """How each row is measured, in how many runs, and how busy the machine was."""
    lines = ["## Commands", "", "| row | what is run | runs | load before | note |", "|---|---|---|---|---|"]
    for row in ROWS:
        measured = measurements.get(row.key, {})
        runs = str(len(measured["ours"]["values"])) if "ours" in measured else "–"
        load = f"{measured['load']:.1f}" if "load" in measured else "–"
        lines.append(line_of(f"`{row.key}`", row.command, runs, load, measured.get("note") or "–"))
    return [*lines, ""]


def details(measurements: Measurements) -> list[str]:
    """Figures that a row is made of."""
    lines = []
    for row in ROWS:
        found = measurements.get(row.key, {}).get("details")
        if found:
            lines += [f"## {row.what[0].upper()}{row.what[1:]}", "", "| | |", "|---|---|"]
            lines += [line_of(name, text) for name, text in found.items()] + [""]
    return lines


def readme_section(measurements: Measurements) -> str:
    """The table of the README: what, figure, against, found."""
    lines = ["| what | figure | against | found |", "|---|---|---|---|"]
    for row in ROWS:
        ours, _, found, _ = cells(row, measurements.get(row.key))
        lines.append(line_of(row.what, ours, row.against, found))
    machines = sorted({measured["machine"] for measured in measurements.values()})
    where = [f"On {' and '.join(machines)}:", ""] if machines else []
    return "\n".join([BEGIN, *where, *lines, END])


def with_section(readme: str, section: str) -> str:
    """*readme* with *section* in the place of what it had."""
    before, _, rest = readme.partition(BEGIN)
    _, _, after = rest.partition(END)
    return before + section + after


def write_pages(measurements: Measurements) -> None:
    """RESULTS.md and the README's table."""
    RESULTS.write_text(results_page(measurements), encoding="utf-8")
    readme = README.read_text(encoding="utf-8")
    README.write_text(with_section(readme, readme_section(measurements)), encoding="utf-8")
