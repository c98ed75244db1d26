"""Whole programs, run by `ossia run`, print what they print with TensorFlow 1.15.5 and leave the same files."""
import sys

import pytest
import runs


@pytest.mark.parametrize("name", runs.names())
def test_program(name):
    printed, errors = runs.run([sys.executable, "-m", "ossia", "run"], name)
    with open(runs.record(name), encoding="utf-8") as file:
        difference = runs.differences(printed, file.read())
    assert difference is None, f"{name}, {difference}\n{errors[-2000:]}"
