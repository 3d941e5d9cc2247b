"""Commands about rule sets: rules list, show, diff."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from belot_stats.commands.common import AsJson, stdout, write_text

if TYPE_CHECKING:
    from belot_stats.ruleset import RuleFile

rules_app = typer.Typer(help="Rule sets: list them, show one, compare two.", no_args_is_help=True)
RulesName = Annotated[str, typer.Argument(help="A preset's name, or a rule file.", metavar="RULES")]


@rules_app.command("list")
def list_rules(as_json: AsJson = False) -> None:
    """List the rule sets that come with the program.

    Example: belot-stats rules list
    """
    from belot_stats.ruleset import load_ruleset, read_rule_file, ruleset_names

    files = [read_rule_file(name) for name in ruleset_names()]
    if as_json:
        write_text(
            _json(
                [
                    {"name": item.name, "title": item.title, "hash": load_ruleset(item.name).hash}
                    for item in files
                ]
            )
        )
        return
    table = _table("name", "system", "target", "hash")
    for item in files:
        table.add_row(item.name, item.title, str(item.values["target"]), load_ruleset(item.name).hash)
    stdout().print(table)


@rules_app.command("show")
def show_rules(name: RulesName, as_json: AsJson = False) -> None:
    """Show a rule set: every parameter, its value, where it is said and how sure that is.

    Example: belot-stats rules show belot-bg
    """
    from rich.text import Text

    from belot_stats.parameters import GROUPS, PARAMETERS
    from belot_stats.ruleset import load_ruleset, read_rule_file, ruleset_values

    rules, rule_file = load_ruleset(name), read_rule_file(name)
    values = ruleset_values(rules)
    if as_json:
        write_text(
            _json({"name": rules.name, "title": rule_file.title, "hash": rules.hash, "values": values})
        )
        return
    console = stdout()
    console.print(
        Text(f"{rules.name}: {rule_file.title}", style="bold"),
        Text(f"hash {rules.hash}", style="dim"),
        sep="\n",
    )
    for group in GROUPS:
        console.print(Text(f"\n{group.replace('_', ' ')}", style="bold"))
        table = _table("parameter", "value", "sure", "source", "meaning")
        for parameter in PARAMETERS:
            if parameter.group == group:
                table.add_row(
                    parameter.name,
                    format_value(values[parameter.name]),
                    *_origin(rule_file, parameter.name),
                    parameter.meaning,
                )
        console.print(table)


def _origin(rule_file: RuleFile, parameter: str) -> tuple[str, str]:
    if parameter not in rule_file.values:
        return "", "(default)"
    return rule_file.confidence.get(parameter, ""), rule_file.sources.get(parameter, "")


@rules_app.command("diff")
def diff_rules(first: RulesName, second: RulesName, as_json: AsJson = False) -> None:
    """Compare two rule sets: the parameters that differ, side by side.

    Example: belot-stats rules diff belot-bg belot-bg-classic
    """
    from belot_stats.parameters import PARAMETERS
    from belot_stats.ruleset import load_ruleset, ruleset_values

    sides = [ruleset_values(load_ruleset(name)) for name in (first, second)]
    different = [item for item in PARAMETERS if sides[0][item.name] != sides[1][item.name]]
    if as_json:
        write_text(_json({item.name: [side[item.name] for side in sides] for item in different}))
        return
    table = _table("parameter", first, second, "meaning")
    for item in different:
        table.add_row(item.name, *(format_value(side[item.name]) for side in sides), item.meaning)
    stdout().print(table if different else f"{first} and {second} have the same values")


def format_value(value: Any) -> str:
    """A parameter's value as a person reads it.

    >>> format_value([3, 2]), format_value({"3": 20}), format_value(True)
    ('3, 2', '3 = 20', 'yes')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "none"
    if isinstance(value, dict):
        return ", ".join(f"{key} = {item}" for key, item in value.items())
    return str(value)


def _table(*headers: str) -> Any:
    from rich.table import Table

    return Table(
        *(Path(header).name for header in headers),
        box=None,
        header_style="bold",
        pad_edge=False,
        padding=(0, 2, 0, 0),
    )


def _json(value: Any) -> str:
    import json

    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"
