"""A simulation as one value: which deals or matches, by which rules and policy."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from belot_stats.deal import Deal
from belot_stats.ruleset import RuleSet
from belot_stats.simulator.matches import simulate_deals, simulate_matches


class SimulationJob(msgspec.Struct, frozen=True):
    """Makes the deals of a range of numbers, which number single deals or matches; can be sent to a process.

    is_compiled: the deals may also be made, the same ones, by a compiled loop where there is one.
    """

    ruleset: RuleSet
    policy: str
    seed: int
    unit: str  # "deals" or "matches"
    is_compiled: bool = True

    def __call__(self, numbers: range) -> Iterator[Deal]:
        """Deals of *numbers*. Raises: UsageError at once, not with the first deal."""
        make = simulate_deals if self.unit == "deals" else simulate_matches
        return make(self.ruleset, self.policy, self.seed, numbers.start, len(numbers))
