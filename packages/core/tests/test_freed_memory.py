"""Runs use the memory again that those before them have freed."""

from __future__ import annotations

import os
import platform
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another C library")
PROGRAM = """
import resource
import numpy as np
import ossia as tf
from ossia_core.declare.opdef import op
from ossia_core.declare.shape_rules import unchanged

definition = op("Temporaries(x: float) -> y: float")
definition.shape(unchanged)
definition.kernel(lambda x: sum([x * k for k in range(4)]))
x = tf.placeholder(tf.float32, [400_000])
y = definition(definition(x))
array = np.ones(400_000, "f4")
with tf.Session() as session:
    for k in range(40):
        if k == 20:
            before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
        session.run(y, {x: array})
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


def faults(**variables):
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("MALLOC_", "GLIBC_"))}
    environment = {**plain, "OSSIA_BACKEND": "numpy", **variables}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True, env=environment
    )
    return int(done.stdout)


def test_pages_are_not_asked_for_in_each_run():
    assert faults() < 1000


def test_the_environment_decides():
    assert faults(MALLOC_TRIM_THRESHOLD_="131072", MALLOC_MMAP_THRESHOLD_="131072") > 10_000
