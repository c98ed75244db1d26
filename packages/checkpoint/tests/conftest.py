"""Fixtures: the golden checkpoints, and file systems on which files can break."""

import runpy
from pathlib import Path

import pytest

GOLDEN = Path(__file__).parent / "golden"


@pytest.fixture(scope="session")
def golden():
    """The folder of the checkpoints that TensorFlow 1.15.5 wrote."""
    return GOLDEN


@pytest.fixture(scope="session")
def golden_tensors():
    """What is in them."""
    return runpy.run_path(str(GOLDEN / "golden_tensors.py"))
