"""Elements of datasets of all kinds: those of TensorFlow 1.15, in its order, random orders among them."""
import importlib.util
import json
import math
import pathlib

import pytest

import ossia as tf

GOLDEN = pathlib.Path(__file__).parent / "golden"
_spec = importlib.util.spec_from_file_location("pipeline_cases", GOLDEN / "pipeline_cases.py")
cases = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(cases)
RECORDED = json.loads((GOLDEN / "pipelines.json").read_text())


@pytest.fixture(scope="module")
def makers(tmp_path_factory):
    folder = str(tmp_path_factory.mktemp("data"))
    cases.files(tf, folder)
    return cases.datasets(tf, folder)


def alike(a, b):
    if isinstance(b, dict):
        return isinstance(a, dict) and sorted(a) == sorted(b) and all(alike(a[k], b[k]) for k in b)
    if isinstance(b, list):
        return isinstance(a, list) and len(a) == len(b) and all(map(alike, a, b))
    return math.isclose(a, b, rel_tol=1e-6) if isinstance(b, float) and isinstance(a, float) else a == b


@pytest.mark.parametrize("name", RECORDED)
def test_elements(name, makers):
    kind, elements = cases.outcome(tf, makers[name])
    assert [kind, elements] == RECORDED[name] or (kind == RECORDED[name][0] and alike(elements, RECORDED[name][1]))
