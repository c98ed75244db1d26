"""Hostile bytes, graphs and calls: values or documented errors, within limits; never a crash, a hang or a wrong value.

The short form always runs the same cases. The long one (`nox -s fuzz`) draws new ones: `OSSIA_FUZZ_SECONDS` says how
long for each target, and `OSSIA_FUZZ_SEED` repeats a run; a failure prints its seed, its number and its input.
"""

import os
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ossia_core.plugins import manager

HERE = Path(__file__).parent
TARGETS = sorted(path.name for path in (HERE / "corpus").iterdir() if path.name != "companions")
FAMILIES = sorted({re.match(r"ossia_(?:core|ops)\.\w+\.|\w+\.", module)[0] for module in manager.op_table().values()})
SECONDS = float(os.environ.get("OSSIA_FUZZ_SECONDS", "20"))
SEED = int(os.environ.get("OSSIA_FUZZ_SEED", random.SystemRandom().randrange(2**32)))


def run(program, *arguments):
    command = [sys.executable, str(HERE / program), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}{done.stderr}"


def test_readers():
    run("run.py", "--replay", "--count", 20, "--seed", 0)


def test_graphs():
    run("graphs.py", "--count", 40, "--seed", 0)


def test_kernels():
    run("kernels.py", "--count", 60, "--seed", 0)


@pytest.mark.fuzz
@pytest.mark.parametrize("target", TARGETS)
def test_reader(target):
    run("run.py", target, "--replay", "--seconds", SECONDS, "--seed", SEED)


@pytest.mark.fuzz
@pytest.mark.parametrize("target", TARGETS)
def test_every_length_and_every_bit(target):
    run("run.py", target, "--systematic", "--seconds", 3 * SECONDS)


@pytest.mark.fuzz
def test_many_graphs():
    run("graphs.py", "--seconds", 6 * SECONDS, "--seed", SEED)


@pytest.mark.fuzz
@pytest.mark.parametrize("family", FAMILIES)
def test_family_of_ops(family):
    run("kernels.py", "--family", family, "--seconds", SECONDS / 2, "--seed", SEED)
