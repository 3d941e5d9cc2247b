"""Everything that can go wrong, as one tree.

    BelotStatsError              exit code
    ├── UsageError               2   what was asked for does not exist or contradicts itself
    │   ├── CardError            2   a card, suit, call or hand that cannot be read
    │   ├── RuleSetError         2   a rule file, preset or parameter that cannot be used
    │   │   ├── UnknownRulesError    a rule set that is neither a preset nor a file
    │   │   └── UnknownOptionError   a parameter that does not exist, or not with this value
    │   └── ReportError          2   an unknown report or a parameter it does not have
    ├── InputError               3   a file that cannot be opened, or that no reader takes
    │   └── ForeignInputError    3   a file that is no log at all, such as an archive or a picture
    ├── WarehouseError           3   a warehouse that cannot be read or written
    │   └── NewerWarehouseError  3   written by a newer version of this program
    └── WorkerError              3   workers that cannot be reached, died, or differ from this process

The message of each says where (file, line, token) and what was expected; the command line prints it as it stands.
"""

from __future__ import annotations


class BelotStatsError(Exception):
    """Base of all errors this package raises on purpose."""

    exit_code = 4


class UsageError(BelotStatsError):
    """What was asked for does not exist or contradicts itself."""

    exit_code = 2


class CardError(UsageError):
    """A card, suit, call or hand that cannot be read."""


class RuleSetError(UsageError):
    """A rule file, preset or parameter that cannot be used."""


class UnknownRulesError(RuleSetError):
    """A rule set that is neither a preset nor a file."""


class UnknownOptionError(RuleSetError):
    """A rule parameter that does not exist, or not with this value."""


class ReportError(UsageError):
    """An unknown report or a parameter it does not have."""


class InputError(BelotStatsError):
    """A file that cannot be opened, or that no reader takes."""

    exit_code = 3


class ForeignInputError(InputError):
    """A file that is no log at all."""


class WarehouseError(BelotStatsError):
    """A warehouse that cannot be read or written."""

    exit_code = 3


class NewerWarehouseError(WarehouseError):
    """The warehouse was written by a newer version of this program."""


class WorkerError(BelotStatsError):
    """Workers that cannot be reached, died, or differ from this process."""

    exit_code = 3
