"""Record the first steps and the graph of examples/digits.py with TensorFlow 1.15.

`/path/to/python-with-tensorflow-1.15 tests/golden/make_digits.py` writes `digits_losses.json` (the loss of the first 20
steps and the accuracy of a whole run) and `digits_golden.json.xz` (all nodes of the program's graph). The tests run the same
`run_digits` under Ossia.
"""
import io
import json
import os
import re
import runpy
import shutil
import sys
import tempfile
from contextlib import redirect_stdout

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, "packages", "testkit", "src"))

from ossia_testkit import recording  # noqa: E402

STEPS = 20


def run_digits(tf, checkpoint_dir, *arguments):
    """Run examples/digits.py with the module `tf` as tensorflow.

    checkpoint_dir: where it keeps its checkpoints. arguments: more flags.
    Returns: (losses of the training steps, record of the graph, what it printed).
    """
    losses, graphs = [], []
    original = tf.train.MonitoredTrainingSession

    class Watch(tf.train.SessionRunHook):
        """Fetches the loss beside what the program fetches."""

        def after_create_session(self, session, coord):
            graphs.append(recording.graph_record(tf, session.graph))

        def before_run(self, run_context):
            return tf.train.SessionRunArgs(run_context.session.graph.get_tensor_by_name("loss:0"))

        def after_run(self, run_context, run_values):
            losses.append(float(run_values.results))

    def watched(*args, **kwargs):
        kwargs["hooks"] = list(kwargs.get("hooks") or []) + [Watch()]
        return original(*args, **kwargs)

    path = os.path.join(ROOT, "examples", "digits.py")
    argv, module = sys.argv, sys.modules.get("tensorflow")
    sys.argv = [path, "--checkpoint_dir=" + checkpoint_dir] + list(arguments)
    sys.modules["tensorflow"] = tf
    tf.train.MonitoredTrainingSession = watched
    printed = io.StringIO()
    try:
        with tf.Graph().as_default(), redirect_stdout(printed):
            runpy.run_path(path, run_name="__main__")
    except SystemExit:
        pass
    finally:
        tf.train.MonitoredTrainingSession = original
        sys.argv = argv
        for flag in list(tf.flags.FLAGS):  # a program defines its flags once in a process
            if tf.flags.FLAGS.find_module_defining_flag(flag) == path:
                delattr(tf.flags.FLAGS, flag)
        sys.modules.pop("tensorflow")
        if module is not None:
            sys.modules["tensorflow"] = module
    return losses, graphs[0], printed.getvalue()


def main():
    """Record with TensorFlow."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    import tensorflow as tf

    folder = tempfile.mkdtemp()
    try:
        losses, graph, printed = run_digits(tf, folder)
    finally:
        shutil.rmtree(folder)
    accuracy = float(re.search(r"([\d.]+) %", printed).group(1)) / 100
    with open(os.path.join(HERE, "digits_losses.json"), "w") as file:
        json.dump({"tensorflow": tf.__version__, "losses": losses[:STEPS], "steps": len(losses),
                   "held_out_accuracy": accuracy}, file, indent=1)
        file.write("\n")
    recording.save_golden(os.path.join(HERE, "digits_golden.json.xz"), {"digits": {"graph": graph}}, tf.__version__)
    sys.stderr.write("%d steps, %s%d nodes\n" % (len(losses), printed, len(graph["nodes"])))


if __name__ == "__main__":
    main()
