"""Models that begin with the weights of another: the original's graphs, values and errors."""

from pathlib import Path

import pytest

from ossia_testkit.golden import golden_tests

test_golden = golden_tests(__file__, "warm_start_cases.py")


@pytest.fixture(autouse=True)
def beside_the_checkpoints(monkeypatch):
    """Cases name the golden checkpoints relative to their folder; the current one is restored afterwards."""
    monkeypatch.chdir(Path(__file__).parent / "golden")
