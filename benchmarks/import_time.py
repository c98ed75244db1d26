"""How long `import` takes, over an interpreter that has numpy imported, and until a first graph has run.

`python benchmarks/import_time.py --tf115 PYTHON --tf221 PYTHON`
"""

import subprocess
import sys
import time

import side_by_side

IMPORT = {
    "ossia": "import ossia as tf",
    "tensorflow": "import os; os.environ['TF_CPP_MIN_LOG_LEVEL'] = '3'; import tensorflow.compat.v1 as tf; tf.disable_eager_execution()",
}
FIRST_RUN = "; x = tf.constant([1.0]) * 2.0; s = tf.Session(); s.run(x)"
REPEATS = 5


def seconds(program):
    """How long the program takes in this interpreter, the smallest of several runs."""
    smallest = float("inf")
    for _ in range(REPEATS):
        began = time.perf_counter()
        subprocess.check_call(
            [sys.executable, "-W", "ignore", "-c", program],
            stderr=subprocess.DEVNULL,
            env=side_by_side.environment(),
        )
        smallest = min(smallest, time.perf_counter() - began)
    return smallest


def measure(label):
    """Seconds by name."""
    bare = seconds("import numpy")
    imported, ran = seconds("import numpy; " + IMPORT[label]), seconds(IMPORT[label] + FIRST_RUN)
    # A difference that is too small to measure counts as a tenth of a millisecond.
    return {"import, over numpy's": max(imported - bare, 1e-4), "import and first run, over numpy's": ran - bare}


if __name__ == "__main__":
    side_by_side.main(measure, unit="ms", rounds=2, bounds={"import, over numpy's": 0.06})
