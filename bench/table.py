"""The rows of the table: what is asked of each, and who measures it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from bench import costs, races
from bench.measure import Measured


class Goal(NamedTuple):
    """A figure that a row is judged by. must, aim: None where it is only reported."""

    name: str
    unit: str  # follows the figure
    must: float | None = None
    aim: float | None = None
    is_at_most: bool = False
    digits: int = 2

    def verdict(self, value: float) -> str:
        """What *value* reaches.

        >>> Goal("ratio", "×", 2, 4).verdict(3.0), Goal("time", " s", 2, 0.5, is_at_most=True).verdict(3.0)
        ('reached', 'missed')
        """
        if self.must is None:
            return "reported"
        if self.aim is not None and self._is_met(value, self.aim):
            return "aim reached"
        return "reached" if self._is_met(value, self.must) else "missed"

    def _is_met(self, value: float, bound: float) -> bool:
        return value <= bound if self.is_at_most else value >= bound

    def shown(self, value: float) -> str:
        """*value* with its unit."""
        return f"{value:,.{self.digits}f}{self.unit}"


class Row(NamedTuple):
    """A row of the table."""

    key: str
    what: str
    against: str
    command: str
    goals: tuple[Goal, ...]
    measure: Callable[[float, int], Measured]  # of the scale of the inputs and the rounds


COLVER = "colver 0.11.1, `Env.deal(seed).rollout(n)`, one core"
FLAT = Goal("from the median", " %", 15, None, is_at_most=True, digits=1)

ROWS = (
    Row(
        "random",
        "random full deals, result columns in memory, one core",
        COLVER,
        "`result_files.results_table`, 5,000,000 deals a run",
        (Goal("ratio", "×", 2, 4),),
        races.random_deals,
    ),
    Row(
        "random-parquet",
        "the same into Parquet, results only, all cores",
        "the first row's rate × cores",
        "`belot-stats simulate --policy random --deals 10000000 --output results.parquet`",
        (Goal("ratio", "×", 0.6, 0.9),),
        races.random_parquet,
    ),
    Row(
        "random-warehouse",
        "the same into a warehouse, every card and call, all cores",
        "the first row's rate × cores",
        "`belot-stats simulate --policy random --deals 1000000 -w DIR`",
        (Goal("ratio", "×"),),
        races.random_warehouse,
    ),
    Row(
        "sensible",
        "sensible deals, result columns in memory, one core",
        COLVER,
        "`result_files.results_table`, 1,000,000 deals a run",
        (Goal("ratio", "×", 0.5, 1),),
        races.sensible_deals,
    ),
    Row(
        "ingest",
        "reading, checking and storing a `bhh/1` file of 1,000,000 deals, all cores",
        "DuckDB's bare `COPY (SELECT * FROM read_json(f)) TO x.parquet`, all its threads",
        "`belot-stats ingest FILE -w DIR`",
        (Goal("ratio", "×", 1, 2),),
        races.ingest,
    ),
    Row(
        "recheck",
        "checking again what a warehouse holds, one core",
        "DuckDB reading the same columns, one thread",
        "the deal pass of `belot-stats audit --recheck`",
        (Goal("ratio", "×", digits=4),),
        races.recheck,
    ),
    Row(
        "match-pass",
        "match pass over 10,000,000 deals",
        "–",
        "the match pass of `belot-stats audit`, with which copies of a deal count",
        (
            Goal("time", " s", 60, 15, is_at_most=True, digits=1),
            Goal("memory", " MiB", 2048, None, is_at_most=True, digits=0),
        ),
        costs.match_pass,
    ),
    Row(
        "reports",
        "every report over 10,000,000 deals",
        "–",
        "`run_report` of each, median of 3; what it begins with was summed up before, as `audit` does",
        (Goal("slowest", " s", 2, 0.5, is_at_most=True),),
        costs.reports,
    ),
    Row(
        "memory",
        "peak memory of ingesting 1, 4 and 16 million deals",
        "each other",
        "`belot-stats ingest FILE -w DIR`",
        (FLAT, Goal("largest process", " MiB", 1024, 400, is_at_most=True, digits=0)),
        costs.memory,
    ),
    Row(
        "per-deal",
        "cost per deal of 10⁵, 10⁶ and 10⁷ sensible deals into a warehouse, one core",
        "each other",
        "`belot-stats simulate --deals N -j 1 -w DIR`, loops compiled",
        (FLAT,),
        costs.per_deal,
    ),
    Row(
        "help",
        "`belot-stats --help` in a new process",
        '`python -c "import typer"`',
        "20 times in turn",
        (Goal("more", " s", 0.15, 0.05, is_at_most=True, digits=3),),
        costs.help_page,
    ),
    Row(
        "audit",
        "a log of 100 deals audited, loops compiled before",
        "–",
        "`belot-stats ingest LOG -w DIR --audit`, from the start of the process to its end",
        (Goal("time", " s", 1.5, 0.7, is_at_most=True),),
        costs.audit,
    ),
)
