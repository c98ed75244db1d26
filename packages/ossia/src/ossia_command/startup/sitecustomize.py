"""Runs when Python starts below `ossia run`: serves Ossia as `tensorflow`, then runs the next `sitecustomize`."""

import importlib.machinery
import importlib.util
import os
import sys


def _hand_over():
    folder = os.path.dirname(os.path.abspath(__file__))
    paths = [path for path in sys.path if os.path.abspath(path) != folder]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", paths)
    if spec is not None and spec.loader is not None:
        spec.loader.exec_module(importlib.util.module_from_spec(spec))


if os.environ.get("OSSIA_RUN"):
    try:
        from ossia_tensorflow_paths import finder
    except ModuleNotFoundError:
        pass  # another environment's Python, which has no Ossia
    else:
        finder.install()
        from ossia_command import lookups

        lookups.install()
        if os.environ["OSSIA_RUN"] != "strict":
            from ossia_command import old_numpy

            old_numpy.install()
_hand_over()
