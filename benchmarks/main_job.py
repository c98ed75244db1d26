"""How long the main job takes, `examples/digits.py` from the start of the interpreter to its last line, with each backend.

`python benchmarks/main_job.py --tf115 PYTHON --tf221 PYTHON`; TensorFlow 2.21 needs `tf_keras` too, which has its `tf.layers`.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import side_by_side

PROGRAM = Path(__file__).resolve().parents[1] / "examples" / "digits.py"
RUN = {
    "ossia": "import ossia as tf",
    "tensorflow": "import tensorflow.compat.v1 as tf; tf.disable_v2_behavior()",
}
AS_TENSORFLOW = "; import runpy, sys; sys.modules['tensorflow'] = tf; runpy.run_path(sys.argv[1], run_name='__main__')"
STEPS = 600


def seconds(program, **environment):
    """How long the job takes in a fresh interpreter and a fresh model directory."""
    environment = dict(side_by_side.environment(), TF_CPP_MIN_LOG_LEVEL="3", TF_USE_LEGACY_KERAS="1", **environment)
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-W", "ignore", "-c", program, str(PROGRAM)]
        began = time.perf_counter()
        subprocess.run(
            [*command, "--checkpoint_dir=" + folder, "--steps=%d" % STEPS], check=True, env=environment, capture_output=True
        )
        return time.perf_counter() - began


def measure(label):
    """Seconds by name. A TensorFlow has one backend: its time stands beside both of ours."""
    program = RUN[label] + AS_TENSORFLOW
    names = {"numpy": "digits.py, NumPy backend", "cffi": "digits.py, C backend"}
    if label == "ossia":
        return {name: seconds(program, OSSIA_BACKEND=backend) for backend, name in names.items()}
    return dict.fromkeys(names.values(), seconds(program))


if __name__ == "__main__":
    side_by_side.main(measure, unit="s", bounds={"digits.py, C backend": 30.0, "digits.py, NumPy backend": 30.0})
