"""What is printed to a pipe is as wide as it needs, whatever width the tests' own runner was given."""

import pytest


@pytest.fixture(autouse=True)
def no_width_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
