"""The SQL macros of reports/macros/statistics.sql, against scipy and against the definition in slow Python."""

from __future__ import annotations

import random

import duckdb
import pytest
from scipy import stats

from belot_stats.queries import prepare
from tests.reports.tables import connect


@pytest.fixture(scope="module")
def connection() -> duckdb.DuckDBPyConnection:
    prepared = connect()
    prepare(prepared)
    return prepared


def value(connection: duckdb.DuckDBPyConnection, sql: str) -> float | None:
    return connection.execute(f"select {sql}").fetchall()[0][0]


@pytest.mark.parametrize(
    ("k", "n"), [(0, 1), (0, 20), (8, 10), (1, 3), (20, 20), (500, 1000), (3, 1_000_000)]
)
def test_wilson_is_scipys(connection: duckdb.DuckDBPyConnection, k: int, n: int) -> None:
    interval = stats.binomtest(k, n).proportion_ci(0.95, method="wilson")
    assert value(connection, f"wilson_low({k}, {n})") == pytest.approx(interval.low, abs=1e-6)
    assert value(connection, f"wilson_high({k}, {n})") == pytest.approx(interval.high, abs=1e-6)


def test_wilson_by_hand(connection: duckdb.DuckDBPyConnection) -> None:
    assert value(connection, "wilson_low(8, 10)") == pytest.approx(0.4902, abs=1e-4)
    assert value(connection, "wilson_high(8, 10)") == pytest.approx(0.9433, abs=1e-4)


@pytest.mark.parametrize("end", ["low", "high"])
def test_no_interval_of_nothing(connection: duckdb.DuckDBPyConnection, end: str) -> None:
    assert value(connection, f"wilson_{end}(0, 0)") is None
    assert value(connection, f"rate_{end}(0, 0, 0, 0, 0, 0)") is None
    assert value(connection, f"wilson_{end}(null, null)") is None


@pytest.mark.parametrize("df", [1, 2, 3, 4, 7, 10, 30, 100, 3_000_000])
def test_t_is_scipys(connection: duckdb.DuckDBPyConnection, df: int) -> None:
    assert value(connection, f"t_975({df})") == pytest.approx(stats.t.ppf(0.975, df), rel=2e-3)


def test_no_t_without_degrees_of_freedom(connection: duckdb.DuckDBPyConnection) -> None:
    assert value(connection, "t_975(0)") is None
    assert value(connection, "mean_half(10, 5, 1, 100, 50, 25)") is None


def clusters(seed: int) -> list[tuple[int, int]]:
    """Successes and trials of some matches, successes alike within a match."""
    randomness = random.Random(seed)
    sizes = [randomness.randint(1, 15) for _ in range(randomness.randint(2, 12))]
    return [
        (sum(randomness.random() < lean for _ in range(n)), n)
        for n in sizes
        for lean in [randomness.random()]
    ]


def sums(matches: list[tuple[int, int]]) -> str:
    k, n = sum(k for k, _ in matches), sum(n for _, n in matches)
    kk, kn, nn = (
        sum(f(k, n) for k, n in matches) for f in (lambda k, n: k * k, lambda k, n: k * n, lambda k, n: n * n)
    )
    return f"{k}, {n}, {len(matches)}, {kk}, {kn}, {nn}"


def slow_variance(matches: list[tuple[int, int]]) -> float:
    k, n = sum(k for k, _ in matches), sum(n for _, n in matches)
    residuals = [k_m - k / n * n_m for k_m, n_m in matches]
    count = len(matches)
    return count / (count - 1) * sum(residual**2 for residual in residuals) / n**2


@pytest.mark.parametrize("seed", range(8))
def test_clustered_interval_is_the_definition(connection: duckdb.DuckDBPyConnection, seed: int) -> None:
    matches = clusters(seed)
    k, n = sum(k for k, _ in matches), sum(n for _, n in matches)
    assert 0 < k < n
    variance = slow_variance(matches)
    assert value(connection, f"cluster_variance({sums(matches)})") == pytest.approx(variance)
    rate = k / n
    effective = n / max(variance / (rate * (1 - rate) / n), 1)
    assert value(connection, f"effective_n({sums(matches)})") == pytest.approx(effective)
    z = stats.norm.ppf(0.975)
    centre, half = (
        rate + z**2 / (2 * effective),
        z * (rate * (1 - rate) / effective + z**2 / (4 * effective**2)) ** 0.5,
    )
    low, high = (centre - half) / (1 + z**2 / effective), (centre + half) / (1 + z**2 / effective)
    assert value(connection, f"rate_low({sums(matches)})") == pytest.approx(low, abs=1e-6)
    assert value(connection, f"rate_high({sums(matches)})") == pytest.approx(high, abs=1e-6)


def test_clustering_never_narrows_and_widens_where_matches_differ(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    alike, apart = [(5, 10)] * 6, [(10, 10), (0, 10)] * 3
    assert value(connection, f"effective_n({sums(alike)})") == 60
    assert value(connection, f"effective_n({sums(apart)})") == pytest.approx(60 / 12)


def test_a_single_match_has_the_plain_interval(connection: duckdb.DuckDBPyConnection) -> None:
    assert value(connection, "rate_low(8, 10, 1, 64, 80, 100)") == value(connection, "wilson_low(8, 10)")
