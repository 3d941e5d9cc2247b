"""The commands of ``belot-stats``: each is its options, then one call. :mod:`belot_stats.cli` gathers them."""
