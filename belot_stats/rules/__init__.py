"""The rules of the game: pure functions on plain ints, a file a phase of the deal.

They return codes and masks; :mod:`belot_stats.checker` and the command line make the words.
"""
