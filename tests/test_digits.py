"""The example program: the original's graph, the original's losses, a good result, and resuming."""
import importlib.util
import json
import re
from pathlib import Path

import pytest

from ossia_testkit import comparison, recording

GOLDEN = Path(__file__).parent / "golden"


@pytest.fixture(scope="module")
def run_digits():
    """`make_digits.run_digits`, which runs examples/digits.py with a given module as tensorflow."""
    spec = importlib.util.spec_from_file_location("make_digits", GOLDEN / "make_digits.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.run_digits


@pytest.fixture(scope="module")
def finished(run_digits, tmp_path_factory):
    """A whole run: its checkpoint directory, losses, graph and output."""
    import ossia as tf

    folder = tmp_path_factory.mktemp("digits")
    return folder, *run_digits(tf, str(folder))


def test_same_graph(finished):
    expected = recording.load_golden(str(GOLDEN / "digits_golden.json.xz"))["digits"]["graph"]
    found = comparison.graph_differences(expected, finished[2])
    assert not found, found[0]


def test_same_losses(finished):
    expected = json.loads((GOLDEN / "digits_losses.json").read_text())
    assert finished[1][:len(expected["losses"])] == pytest.approx(expected["losses"], rel=1e-4)
    assert len(finished[1]) == expected["steps"]


def test_held_out_accuracy(finished):
    assert float(re.search(r"([\d.]+) %", finished[3]).group(1)) >= 97


def test_resumes(finished, run_digits):
    import ossia as tf

    losses, _, printed = run_digits(tf, str(finished[0]), "--steps=640")
    assert len(losses) == 40
    assert "after 640 steps" in printed
