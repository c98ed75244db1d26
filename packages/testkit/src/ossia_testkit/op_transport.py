"""Runs transported samples of ops as golden cases, under TensorFlow 1.15 (Python 3.7) and under Ossia alike."""
import base64
import contextlib
import os
import shutil
import tempfile

import numpy as np

from ossia_testkit.golden_case import Case, Raised


def decode(record):
    """The array of an `array_record`; strings as objects."""
    if record["dtype"] == "string":
        return np.array([text.encode("latin-1") for text in record["data"]], object).reshape(record["shape"])
    data = base64.b64decode(record["data"])
    if record["dtype"] == "bfloat16":
        return (np.frombuffer(data, "<u2").astype("<u4") << 16).view("<f4").reshape(record["shape"])
    return np.frombuffer(data, record["dtype"]).reshape(record["shape"])


def names_by_run(sent):
    """Names of what a transported sample runs, run by run."""
    if "runs" in sent:
        return sent["runs"]
    first = [sent["init"]] if sent["init"] else []
    return first + [sent["outputs"] or ["op"]] + ([sent["state"]] if sent["state"] else [])


@contextlib.contextmanager
def workplace(files):
    """A folder of its own with files (name -> base64) as the current one, for a sample that has files; else nothing."""
    if files is None:
        yield
        return
    before, folder = os.getcwd(), tempfile.mkdtemp()
    try:
        for name, data in files.items():
            with open(os.path.join(folder, name), "wb") as file:
                file.write(base64.b64decode(data))
        os.chdir(folder)
        yield
    finally:
        os.chdir(before)
        shutil.rmtree(folder)


def transport_case(sent):
    """The case function of a transported sample: values, state after the run, static shapes, the gradient's graph."""

    def case(tf):
        proto = tf.GraphDef()
        proto.ParseFromString(base64.b64decode(sent["graph"]))
        tf.import_graph_def(proto, name="")
        graph = tf.get_default_graph()
        runs = [[graph.as_graph_element(name) for name in names] for names in names_by_run(sent)]
        outputs = [item for run in runs for item in run] if "runs" in sent else [
            graph.get_tensor_by_name(name) for name in sent["outputs"]]
        outputs = [item for item in outputs if isinstance(item, tf.Tensor)]
        inputs = [graph.get_tensor_by_name(name) for name in sent["inputs"]]
        facts, nodes = {}, None
        smooth = [t for t in outputs if t.dtype.is_floating or t.dtype.is_complex]
        wanted = [t for t in inputs if t.dtype.is_floating or t.dtype.is_complex]
        if smooth and wanted and not sent.get("init"):
            before = len(graph.get_operations())
            try:
                gradients = tf.gradients(smooth, wanted)
                facts["none"] = [g is None for g in gradients]
                runs.append([g for g in gradients if g is not None])
            except Exception as error:
                facts["gradient"], nodes = Raised(error), before
        runs.append(facts)
        feeds = {graph.get_tensor_by_name(name): decode(value) for name, value in sent["feeds"].items()}
        return Case(runs=runs, feeds=feeds, init=False, collections=False, nodes=nodes)

    return case
