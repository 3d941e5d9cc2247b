"""The shared logs of the shipped presets: clean, with known faults, and clean with faults put in here."""

import copy
import json
import random

import pytest

from belot_stats.parameters import BIDDING_TURN_UP
from belot_stats.ruleset import load_ruleset
from tests.check.faults import FAULTS, NAMES
from tests.check.logs import ABSENT, LOGS, PRESETS, findings_of, load_compare, matches_of, truth_of

SEEDS = range(12)


def absent_faults(rules, matches):
    """Faults that these rules, or the options of this log, have no place for."""
    absent = set()
    if rules.bidding == BIDDING_TURN_UP:
        absent.add("pass_missing")  # the last call is the order itself
    if all(record.get("options", {}).get("declarations") == "none" for match in matches for record in match):
        absent.add("declaration_of_others_cards")
    return absent


each_preset = pytest.mark.parametrize(
    "preset", PRESETS or [pytest.param("belot-bg", marks=pytest.mark.skip(reason=ABSENT))]
)


@each_preset
def test_clean_log_has_no_finding(preset):
    data = (LOGS / f"{preset}.jsonl").read_bytes()
    assert len(data.splitlines()) > 100
    assert findings_of(data) == []


@each_preset
def test_clean_log_in_any_order_has_no_finding(preset):
    lines = (LOGS / f"{preset}.jsonl").read_bytes().splitlines()
    random.Random(1).shuffle(lines)
    assert findings_of(b"\n".join(lines)) == []


@each_preset
def test_faulty_log_has_its_faults_and_no_others(preset):
    found = findings_of((LOGS / f"{preset}-faults.jsonl").read_bytes())
    truth = truth_of(preset)
    assert len(truth) > 80
    assert load_compare()(found, truth) == []


@each_preset
@pytest.mark.parametrize(("fault", "name"), list(zip(FAULTS, NAMES, strict=True)), ids=NAMES)
def test_a_single_fault_is_found(preset, fault, name):
    """Something is found, in a match that had no finding before, wherever the system has what the fault is put in."""
    rules = load_ruleset(preset)
    matches = matches_of(preset)
    tried, silent = 0, []
    for seed in SEEDS:
        rng = random.Random(f"{name} {seed}")
        order = rng.sample(range(len(matches)), len(matches))
        for index in order:
            match = copy.deepcopy(matches[index])
            if fault(match, rng):
                tried += 1
                data = "\n".join(json.dumps(record, ensure_ascii=False) for record in match).encode()
                if not findings_of(data):
                    silent.append((seed, match[0]["match"]))
                break
    assert tried == (0 if name in absent_faults(rules, matches) else len(SEEDS))
    assert silent == []
