"""Kills, full disks and readers in the way, with real processes: nothing that was saved is lost, or left behind.

The short forms always run. `nox -s faults` kills 1,000 times, or as often as `OSSIA_FAULT_KILLS` says; a failure prints
its seed, which `OSSIA_FAULT_SEED` repeats.
"""

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
KINDS = [
    "steps", "one name", "rotating", "sharded", "sharded, one name", "V1", "V1, one name", "V1, sharded",
    "text meta graph", "events", "records", "graphs", "training", "exports", "objects", "SavedModels",
]
KILLS = int(os.environ.get("OSSIA_FAULT_KILLS", "1000"))
SEED = int(os.environ.get("OSSIA_FAULT_SEED", random.SystemRandom().randrange(2**32)))


def run(program, *arguments):
    command = [sys.executable, str(HERE / program), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}{done.stderr}"
    return done.stdout


def test_kills():
    assert run("kills.py", "--count", 2, "--seed", SEED).count('"kills"') == len(KINDS)


def test_full_disks():
    run("full_disks.py")


def test_readers_of_what_is_replaced():
    run("replaced.py", "--count", 40)


@pytest.mark.faults
@pytest.mark.parametrize("kind", KINDS)
def test_many_kills(kind):
    run("kills.py", kind, "--count", -(-KILLS // len(KINDS)), "--seed", SEED)


@pytest.mark.faults
def test_many_readers():
    run("replaced.py", "--count", 2000)
