"""The checks of one deal, a file a phase; :mod:`belot_stats.checker` puts them together."""
