"""RuleSet: the rules of one system as plain integers, and how rule files become one.

A rule file is TOML: ``name``, ``title``, optionally ``based_on`` (a preset whose values it changes), and the
parameters in tables by group, each either a plain value or ``{ value = …, source = "…", confidence = "high" }``.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from belot_stats import parameters as p
from belot_stats.contradictions import contradictions
from belot_stats.errors import RuleSetError, UnknownOptionError, UnknownRulesError
from belot_stats.parameters import PARAMETER_OF, PARAMETERS, ValueProblem
from belot_stats.resources import resource_folder

CONFIDENCES = ("high", "medium", "low")


class RuleValues(NamedTuple):
    """The parameters of :data:`belot_stats.parameters.PARAMETERS`, encoded, in that order."""

    players: int
    partners: int
    direction: int
    lowest_rank: int
    first_packets: int
    second_packets: int
    turn_up: int
    turn_up_to: int
    cut_only: int
    bidding: int
    contracts: tuple[int, ...]
    round_two: int
    ashkal: int
    ashkal_on_ace: int
    sun_over_ace: int
    multipliers: tuple[int, ...]
    no_trumps_doubling: int
    no_trumps_double_limit: int
    closed_doubling: int
    raise_cancels_double: int
    redoubled_all_trumps_ends: int
    all_pass: int
    forced_dealer: int
    beat_trump_lead: int
    must_ruff: int
    must_overruff: int
    cannot_overruff: int
    rise_all_trumps: int
    seven_exchange: int
    illegal_card: int
    claim_cards: int
    penalty_points: int
    penalty_no_trumps_points: int
    declarations: int
    sequence_points: tuple[int, ...]
    eight_run_points: int
    sequence_cap: int
    long_runs: int
    carre_points: tuple[int, ...]
    carre_order: tuple[int, ...]
    contest: int
    equal_points: int
    equal_sequences: int
    shared_cards: int
    declarations_need_trick: int
    declare_when: int
    four_aces_no_trumps: int
    belote_points: int
    belote_when: int
    belote_needs_trick: int
    belote_kept_when_failed: int
    belote_with_hundred: int
    last_trick_points: int
    no_trumps_factor: int
    scaled_total: int
    capot: int
    capot_points: int
    double_capot_points: int
    capot_no_trumps_points: int
    capot_no_trumps_factor: int
    capot_when_doubled: int
    made: int
    failed: int
    exact_tie: int
    exact_tie_no_trumps: int
    hung_to: int
    hung_policy: int
    rounding: int
    multiply_before_rounding: int
    sun_conversion: int
    hokum_conversion: int
    made_basis: int
    kirtik: int
    target: int
    both_reach: int
    no_exit_on_capot: int
    no_exit_while_hanging: int
    declare_out: int
    next_dealer: int


class RuleSet(RuleValues):
    """The rules of one system: a tuple of ints that every rule function takes, with a name and a hash.

    >>> rules = load_ruleset("belot-bg")
    >>> rules.name, rules.target, rules.players
    ('belot-bg', 151, 4)
    """

    name: str
    hash: str

    def __repr__(self) -> str:
        return f"RuleSet({self.name!r}, hash={self.hash!r})"


class RuleFile(NamedTuple):
    """A rule file as read: readable values, with the source, confidence and note of each."""

    name: str
    title: str
    values: dict[str, Any]
    sources: dict[str, str]
    confidence: dict[str, str]
    notes: dict[str, str]


@cache
def ruleset_names() -> tuple[str, ...]:
    """Names of the presets, sorted."""
    return tuple(sorted(path.stem for path in resource_folder("rulesets").glob("*.toml")))


def load_ruleset(
    rules: str | Path | RuleSet | tuple[str | Path, Mapping[str, Any]],
    overrides: Mapping[str, Any] | None = None,
) -> RuleSet:
    """Rule set of a preset name, a rule file's path, or ``(either, overrides)``.

    overrides: parameter name -> value as a rule file writes it, as in ``{"target": 101}``.
    Raises: UnknownRulesError for a name that is no preset and no file; UnknownOptionError for a parameter that does
    not exist or a value it does not take; RuleSetError for a rule file that is incomplete or contradicts itself.
    >>> load_ruleset("belot-bg", {"target": 101}).target
    101
    """
    if isinstance(rules, tuple) and not isinstance(rules, RuleSet):
        rules, more = rules
        overrides = {**more, **(overrides or {})}
    if isinstance(rules, RuleSet):
        values, name = ruleset_values(rules), rules.name
    else:
        rule_file = read_rule_file(rules)
        values, name = dict(rule_file.values), rule_file.name
    check_options(overrides or {}, f"options for {name}")
    return ruleset_from_values(name, {**values, **(overrides or {})})


def ruleset_from_values(name: str, values: Mapping[str, Any]) -> RuleSet:
    """Rule set called *name* of readable *values*, one a parameter.

    Raises: UnknownOptionError, RuleSetError.
    """
    check_options(values, name)
    encoded = {}
    for parameter in PARAMETERS:
        value = values.get(parameter.name, parameter.default)
        if value is None:
            raise RuleSetError(
                f"{name}: the parameter {parameter.name!r} is missing (expected {parameter.expects})"
            )
        encoded[parameter.name] = parameter.encode(value)
    rules = RuleSet(**encoded)
    for problem in contradictions(rules):
        raise RuleSetError(f"{name}: {problem}")
    rules.name = name
    rules.hash = hash_values(rules)
    return rules


def ruleset_values(rules: RuleSet) -> dict[str, Any]:
    """Readable values of *rules*, one a parameter, as a rule file would write them; JSON-able."""
    return {
        parameter.name: parameter.decode(value) for parameter, value in zip(PARAMETERS, rules, strict=True)
    }


def hash_values(rules: RuleValues) -> str:
    """16 hex digits over the parameters' names and values."""
    text = json.dumps([[parameter.name, value] for parameter, value in zip(PARAMETERS, rules, strict=True)])
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def check_options(options: Mapping[Any, Any], where: str) -> None:
    """Every parameter of *options* exists and takes its value.

    Raises: UnknownOptionError naming *where*, the parameter, the nearest known one or the values it takes.
    """
    for name, value in options.items():
        parameter = PARAMETER_OF.get(name) if isinstance(name, str) else None
        if parameter is None:
            raise UnknownOptionError(
                f"{where}: unknown parameter {name!r}{_nearest(str(name), PARAMETER_OF)}"
            )
        try:
            parameter.encode(value)
        except ValueProblem as problem:
            raise UnknownOptionError(f"{where}: {name}: {problem}") from None


def read_rule_file(rules: str | Path) -> RuleFile:
    """Rule file of a preset's name, or at a path (anything with a ``/`` or ending in ``.toml``).

    Raises: UnknownRulesError, UnknownOptionError, RuleSetError.
    """
    path = Path(rules)
    if path.suffix == ".toml" or len(path.parts) > 1:
        return _read_rule_path(path)
    names = ruleset_names()
    if str(rules) not in names:
        raise UnknownRulesError(
            f"unknown rules {str(rules)!r}{_nearest(str(rules), names)}; "
            f"known: {', '.join(names)}, or a path to a .toml file"
        )
    return _read_preset(str(rules))


@cache
def _read_preset(name: str) -> RuleFile:
    return _read_rule_path(resource_folder("rulesets") / f"{name}.toml")


def _read_rule_path(path: Path) -> RuleFile:
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UnknownRulesError(f"there is no rule file {path}") from None
    except (OSError, UnicodeDecodeError) as problem:
        raise RuleSetError(f"{path}: the rule file cannot be read: {problem}") from None
    except (ValueError, RecursionError) as problem:
        raise RuleSetError(f"{path}: not valid TOML: {problem}") from None
    return _rule_file(document, path)


def _rule_file(document: dict[str, Any], path: Path) -> RuleFile:
    name = _text(document, "name", path) or path.stem
    base = _text(document, "based_on", path)
    based_on = read_rule_file(base) if base else RuleFile(name, "", {}, {}, {}, {})
    rule_file = RuleFile(
        name,
        _text(document, "title", path) or (f"changes {base}" if base else name),
        dict(based_on.values),
        dict(based_on.sources),
        dict(based_on.confidence),
        dict(based_on.notes),
    )
    for parameter, entry in _entries(document, path):
        _take_entry(rule_file, parameter, entry, path)
    missing = [x.name for x in PARAMETERS if x.default is None and x.name not in rule_file.values]
    if missing:
        raise RuleSetError(
            f'{path}: missing: {", ".join(missing)} (or name a preset to start from: based_on = "belot-bg")'
        )
    return rule_file


def _text(document: dict[str, Any], key: str, path: Path) -> str:
    value = document.get(key, "")
    if not isinstance(value, str):
        raise RuleSetError(f"{path}: {key}: expected a text, found {value!r}")
    return value


def _entries(document: dict[str, Any], path: Path) -> Iterable[tuple[str, Any]]:
    """Parameters of a rule file, whether in a table of their group or on the top level."""
    for key, entry in document.items():
        if key in ("name", "title", "based_on"):
            continue
        if (key in p.GROUPS and isinstance(entry, dict) and key not in PARAMETER_OF) or (
            key == "declarations" and isinstance(entry, dict) and "value" not in entry
        ):
            yield from entry.items()
        elif key in PARAMETER_OF:
            yield key, entry
        else:
            raise UnknownOptionError(
                f"{path}: unknown key {key!r}{_nearest(key, [*PARAMETER_OF, *p.GROUPS, 'name', 'title', 'based_on'])}"
            )


def _take_entry(rule_file: RuleFile, parameter: str, entry: Any, path: Path) -> None:
    detailed = isinstance(entry, dict) and "value" in entry
    if detailed and set(entry) - {"value", "source", "confidence", "note"}:
        raise RuleSetError(
            f"{path}: {parameter}: expected the keys value, source, confidence, note; found {', '.join(entry)}"
        )
    value = entry["value"] if detailed else entry
    check_options({parameter: value}, str(path))
    confidence = entry.get("confidence", "high") if detailed else "high"
    if confidence not in CONFIDENCES:
        raise RuleSetError(
            f"{path}: {parameter}: confidence: expected one of {', '.join(CONFIDENCES)}, found {confidence!r}"
        )
    rule_file.values[parameter] = value
    rule_file.sources[parameter] = str(entry.get("source", "")) if detailed else path.name
    rule_file.confidence[parameter] = confidence
    rule_file.notes[parameter] = str(entry.get("note", "")) if detailed else ""


def _nearest(name: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(name, list(known), n=1, cutoff=0.5)
    return f" (did you mean {close[0]!r}?)" if close else ""


def parse_setting(text: str) -> tuple[str, Any]:
    """Parameter and value of ``NAME=VALUE``, the value as a rule file writes it (a bare word is a text).

    Raises: UnknownOptionError.
    >>> parse_setting("target=101")
    ('target', 101)
    """
    name, sign, value = text.partition("=")
    if not sign:
        raise UnknownOptionError(f"{text!r}: expected NAME=VALUE, as in target=101")
    name, value = name.strip(), value.strip()
    try:
        parsed = tomllib.loads(f"x = {value}")["x"]
    except (ValueError, RecursionError):
        parsed = value
    check_options({name: parsed}, f"--set {text}")
    return name, parsed


class RuleResolver:
    """Rule sets of records: which rules a record is checked by, given what it says and what the user said.

    default: fills the gap where a record names no rules; force: overrides what records name; either may be a rule
    file, which also makes the file's own name known; overrides: settings on top of a record's ``options``.
    """

    def __init__(
        self,
        default: str | Path | None = None,
        force: str | Path | None = None,
        overrides: Mapping[str, Any] | None = None,
    ) -> None:
        self.default = read_rule_file(default) if default is not None else None
        self.force = read_rule_file(force) if force is not None else None
        self.overrides = dict(overrides or {})
        check_options(self.overrides, "--set")
        for given in (self.default, self.force):
            if given is not None:  # refused before any record is read
                ruleset_from_values(given.name, {**given.values, **self.overrides})
        self._cache: dict[tuple[str | None, str], RuleSet] = {}

    def resolve(self, name: str | None, options: Mapping[str, Any]) -> RuleSet:
        """Rule set of a record that names *name* and changes *options*.

        Raises: UnknownRulesError, UnknownOptionError, RuleSetError (options that contradict each other).
        """
        key = (name, json.dumps(options, sort_keys=True, default=str) if options else "")
        rules = self._cache.get(key)
        if rules is None:
            rules = self._cache[key] = self._resolve(name, options)
        return rules

    def _resolve(self, name: str | None, options: Mapping[str, Any]) -> RuleSet:
        rule_file = self._rule_file(name)
        check_options(options, "options")
        return ruleset_from_values(rule_file.name, {**rule_file.values, **options, **self.overrides})

    def _rule_file(self, name: str | None) -> RuleFile:
        if self.force is not None:
            return self.force
        if name is None:
            if self.default is None:
                raise UnknownRulesError("the record names no rules: name them with --rules")
            return self.default
        if self.default is not None and self.default.name == name:
            return self.default
        if name not in ruleset_names():
            near = _nearest(name, ruleset_names())
            raise UnknownRulesError(
                f"unknown rules {name!r}{near}; a rule file of your own is named with --rules FILE"
            )
        return _read_preset(name)
