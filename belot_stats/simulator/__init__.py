"""SIMULATE: deals and matches made by policies, as records like any other.

``streams`` numbers of chance, ``dealing`` the cards, ``policies`` who decides, ``playing`` one deal at the table,
``settling`` its score, ``matches`` deals and matches; ``sensible`` and its companions are a policy.
"""

from belot_stats.simulator.matches import simulate_deals, simulate_matches
from belot_stats.simulator.policies import CallView, CardView, Policy, find_policies

__all__ = ["CallView", "CardView", "Policy", "find_policies", "simulate_deals", "simulate_matches"]
