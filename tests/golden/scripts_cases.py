"""The programs of `scripts/`, each run as a main program that imports `tensorflow`: what it prints, what graphs it builds."""
import collections
import contextlib
import glob
import io
import os
import re
import runpy
import sys
import tempfile
import threading
import traceback

import numpy as np
from golden_case import Case

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "scripts")
FLOAT = re.compile(r"[-+]?(?:\d+\.\d*|\.\d+)(?:e[-+]?\d+)?")


@contextlib.contextmanager
def _tensorflow(tf):
    """Within it `import tensorflow` gives `tf`, with the private modules that programs import from."""
    if "tensorflow" in tf.__name__:
        yield
        return
    from ossia_tensorflow_paths import finder

    finders, modules = list(sys.meta_path), set(sys.modules)
    finder.install()
    try:
        yield
    finally:
        sys.meta_path[:] = finders
        for name in set(sys.modules) - modules:
            if name.partition(".")[0] == "tensorflow":
                del sys.modules[name]


@contextlib.contextmanager
def _graphs(tf):
    """A list of the graphs that are made within it."""
    made, init = [], tf.Graph.__init__

    def noted(graph, *args, **kwargs):
        init(graph, *args, **kwargs)
        made.append(graph)

    tf.Graph.__init__ = noted
    try:
        yield made
    finally:
        tf.Graph.__init__ = init


@contextlib.contextmanager
def _elsewhere():
    """An empty working directory."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)


def _run(path):
    """Runs a script in a thread of its own, which has its own default graph; what it prints."""
    printed = io.StringIO()

    def main():
        if int(np.__version__.partition(".")[0]) > 1:
            np.set_printoptions(legacy="1.21")  # scalars look as they did
        try:
            runpy.run_path(path, run_name="__main__")
        except SystemExit:
            pass
        except BaseException:
            print(traceback.format_exc().splitlines()[-1])

    thread = threading.Thread(target=main)
    arguments, sys.argv = sys.argv, [path]
    options = np.get_printoptions()
    try:
        with contextlib.redirect_stdout(printed):
            thread.start()
            thread.join()
    finally:
        sys.argv = arguments
        np.set_printoptions(**options)
    return printed.getvalue()


def _text(printed):
    """What is printed, as lines without the floats in them, and the floats."""
    text = re.sub(r"(?<=[\[\](,])\s+|\s+(?=[\[\]),])", "", printed)
    floats = FLOAT.findall(text)
    return [" ".join(line.split()) for line in FLOAT.sub("#", text).splitlines()], np.array(floats, np.float32)


def _facts(graph):
    """How many nodes of each type a graph has."""
    counts = collections.Counter(op.type for op in graph.get_operations())
    return " ".join("%s:%d" % item for item in sorted(counts.items()))


def _case(path):
    def case(tf):
        with _tensorflow(tf), _elsewhere(), _graphs(tf) as graphs:
            printed = _run(path)
        lines, floats = _text(printed)
        facts = [_facts(graph) for graph in graphs if graph.get_operations()]
        return Case({"lines": lines, "graphs": facts, "floats": tf.constant(floats)}, graph=False, tolerance=5e-3)

    return case


for _path in sorted(glob.glob(os.path.join(FOLDER, "*.py"))):
    globals()["case_" + os.path.basename(_path)[:-3]] = _case(_path)
