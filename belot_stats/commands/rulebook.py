"""Commands about rule sets: rules list, show, diff."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from belot_stats.commands.common import AsJson, Settings, settings_of, stdout, write_text

if TYPE_CHECKING:
    from belot_stats.rule_tables import DiffRow, RuleRow

FORMATS = ("table", "json", "csv", "md")
rules_app = typer.Typer(help="Rule sets: list them, show one, compare two.", no_args_is_help=True)
RulesName = Annotated[str, typer.Argument(help="A preset's name, or a rule file.", metavar="RULES")]
OutputFormat = Annotated[
    str, typer.Option("--format", "-f", help=f"One of {', '.join(FORMATS)}.", metavar="FORMAT")
]


@rules_app.command("list")
def list_rules(as_json: AsJson = False, format: OutputFormat = "table") -> None:
    """List the rule sets that come with the program, and how sure their values are.

    Example: belot-stats rules list
    """
    from belot_stats.rule_tables import confidence_counts, players_text
    from belot_stats.ruleset import load_ruleset, read_rule_file, ruleset_names

    header = ("name", "system", "players", "target", "high", "medium", "low", "hash")
    rows = []
    for name in ruleset_names():
        rules, item = load_ruleset(name), read_rule_file(name)
        counts = confidence_counts(item).values()
        rows.append((item.name, item.title, players_text(rules), rules.target, *counts, rules.hash))
    _write(header, rows, _format(format, as_json))


@rules_app.command("show")
def show_rules(
    name: RulesName, settings: Settings = None, as_json: AsJson = False, format: OutputFormat = "table"
) -> None:
    """Show a rule set: every parameter, its value, how sure that is, where it is said, and what else there is.

    Example: belot-stats rules show belot-bg
    """
    from belot_stats.rule_tables import RuleRow, rule_rows

    overrides, chosen = settings_of(settings), _format(format, as_json)
    rows = rule_rows(name, overrides)
    if chosen == "json":
        write_text(_json(_shown(name, overrides, rows)))
    elif chosen == "table":
        _print_rules(name, overrides, rows)
    else:
        _write(RuleRow._fields, rows, chosen)


def _shown(name: str, overrides: dict[str, Any], rows: list[RuleRow]) -> dict[str, Any]:
    """A rule set as JSON: its values, and of each where it is said."""
    from belot_stats.ruleset import load_ruleset, read_rule_file, ruleset_values

    rules = load_ruleset(name, overrides)
    origins = {row.parameter: {k: getattr(row, k) for k in ("confidence", "source", "note")} for row in rows}
    return {
        "name": rules.name,
        "title": read_rule_file(name).title,
        "hash": rules.hash,
        "values": ruleset_values(rules),
        "origins": origins,
    }


def _print_rules(name: str, overrides: dict[str, Any], rows: list[RuleRow]) -> None:
    from rich.text import Text

    from belot_stats.parameters import GROUPS
    from belot_stats.ruleset import load_ruleset, read_rule_file

    rules, console = load_ruleset(name, overrides), stdout()
    console.print(
        Text(f"{rules.name}: {read_rule_file(name).title}", style="bold"),
        Text(f"hash {rules.hash}", style="dim"),
        sep="\n",
    )
    for group in GROUPS:
        console.print(Text(f"\n{group.replace('_', ' ')}", style="bold"))
        table = _table(("parameter", "value", "sure", "source", "meaning"))
        for row in rows:
            if row.group == group:
                said = row.source + (f"\nnote: {row.note}" if row.note else "")
                table.add_row(*map(Text, (row.parameter, row.value, row.confidence, said, row.meaning)))
        console.print(table)


@rules_app.command("diff")
def diff_rules(
    first: RulesName,
    second: RulesName,
    settings: Settings = None,
    as_json: AsJson = False,
    format: OutputFormat = "table",
) -> None:
    """Compare two rule sets, presets or rule files: the parameters that differ, side by side.

    --set changes both. Example: belot-stats rules diff belot-bg belot-bg-classic
    """
    from belot_stats.rule_tables import diff_rows

    rows, chosen = diff_rows(first, second, settings_of(settings)), _format(format, as_json)
    if chosen == "json":
        write_text(_json(_values_of(first, second, settings_of(settings), rows)))
    elif rows or chosen != "table":
        header = ("parameter", "group", _short(first), _short(second), "sure", "sure", "meaning")
        _write(header, rows, chosen)
    else:
        stdout().print(f"{first} and {second} have the same values")


def _values_of(first: str, second: str, overrides: dict[str, Any], rows: list[DiffRow]) -> dict[str, Any]:
    from belot_stats.ruleset import load_ruleset, ruleset_values

    sides = [ruleset_values(load_ruleset(name, overrides)) for name in (first, second)]
    return {row.parameter: [side[row.parameter] for side in sides] for row in rows}


def _short(name: str) -> str:
    return Path(name).name


def _format(format: str, as_json: bool) -> str:
    from belot_stats.commands.asking import check_words

    check_words([format], FORMATS, "--format")
    return "json" if as_json else format


def _write(header: Sequence[str], rows: Sequence[Sequence[Any]], format: str) -> None:
    """Rows to stdout in *format*."""
    if format == "json":
        write_text(_json([dict(zip(header, row, strict=True)) for row in rows]))
    elif format == "csv":
        from belot_stats.views.tables import csv_text

        write_text(csv_text([header, *rows]))
    elif format == "md":
        from belot_stats.texts import markdown_table

        write_text("\n".join(markdown_table(header, rows)))
    else:
        from rich.text import Text

        table = _table(header)
        for row in rows:
            table.add_row(*(Text(str(cell)) for cell in row))
        stdout().print(table)


def _table(headers: Sequence[str]) -> Any:
    from rich.table import Table

    return Table(*headers, box=None, header_style="bold", pad_edge=False, padding=(0, 2, 0, 0))


def _json(value: Any) -> str:
    import json

    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"
