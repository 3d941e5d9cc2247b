"""Compiles the loops once, on two processors, before several test processes would each do it: ``python -m tests.warm``.

They are kept where tests find them; a test that needs an empty folder has one of its own.
"""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from belot_stats import fast_parts, match_tasks
from belot_stats.commands.making import make_one
from belot_stats.ruleset import load_ruleset
from belot_stats.simulator.job import SimulationJob

RULES = load_ruleset("belot-bg")


def warm_making(unit: str) -> None:
    for policy in ("random", "sensible"):
        for output in ("warehouse", "log", "results"):
            make_one(SimulationJob(RULES, policy, 1, unit), output)


def warm_matches() -> None:
    warm_making("matches")
    match_tasks.warm()


def warm_deals() -> None:
    fast_parts.warm_up()
    warm_making("deals")


if __name__ == "__main__":
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        for future in [pool.submit(warm_matches), pool.submit(warm_deals)]:
            future.result()
