"""The pure parts of the tool that compares random calls with the original: what it makes, and how it judges."""

import json
import random
import sys
from pathlib import Path

import numpy as np
import pytest

TOOL = Path(__file__).parents[1] / "tools" / "differential"


@pytest.fixture
def tool(monkeypatch):
    """Imports a module of the tool; the modules are forgotten afterwards."""
    before = set(sys.modules)
    monkeypatch.syspath_prepend(str(TOOL))

    def load(name):
        return __import__(name)

    yield load
    for name in set(sys.modules) - before:
        if str(TOOL) in str(getattr(sys.modules[name], "__file__", None)):
            del sys.modules[name]


def record_of(array):
    from ossia_testkit import recording

    return {"fetches": {}, "facts": {}, "runs": [{"/0": recording.array_record(np.asarray(array))}]}


@pytest.mark.parametrize("mode", ["benign", "special", "positive", "ties"])
@pytest.mark.parametrize("dtype", "float16 bfloat16 float32 complex64 int8 uint16 bool string qint8".split())
def test_arrays_survive_json(tool, dtype, mode):
    from ossia_testkit.op_transport import decode

    values = tool("values")
    found = values.random_array(random.Random(3), dtype, [2, 3], mode)
    record = json.loads(json.dumps(values.record(found, dtype)))
    assert record["dtype"] == dtype
    back = decode({**record, "dtype": dtype.removeprefix("q")})
    np.testing.assert_array_equal(back, found)


def test_the_same_seed_makes_the_same_calls(tool):
    functions = tool("functions")
    first, second, other = (functions.cases(random.Random(seed), 3, ["reduce"]) for seed in (5, 5, 6))
    assert first == second != other
    assert len(first) == 3
    json.dumps(first)


def test_programs_build_and_run(tool):
    import ossia as tf
    from ossia_testkit import recording

    programs, build = tool("programs"), tool("build")

    def build_program(case):
        return lambda tf: build.program_case(tf, case)

    made = programs.cases(random.Random(1), 8)
    assert made == programs.cases(random.Random(1), 8)
    found = [recording.record_case(tf, build_program(json.loads(json.dumps(case)))) for case in made]
    assert sum("error" not in record for record in found) >= 4


def test_gradients_are_asked_for_in_all_ways(tool):
    import ossia as tf
    from ossia_testkit import recording

    gradients, build = tool("gradients"), tool("build_gradients")
    facts = {"kernels": {"Tanh": [{"T": ["float32", "float64"]}]}, "parameters": {"Tanh": ["x", "name"]}}
    made = gradients.cases(random.Random(4), 200, ["Tanh"], facts)
    assert made == gradients.cases(random.Random(4), 200, ["Tanh"], facts)
    asked = [case["slopes"] for case in made]
    assert {item["way"] for item in asked} == set(gradients.WAYS)
    assert {item["inside"] for item in asked} == set(gradients.SURROUNDINGS)

    def slope_case(case):
        return lambda tf: build.slope_case(tf, case)

    found = [recording.record_case(tf, slope_case(json.loads(json.dumps(case)))) for case in made[:12]]
    facts = [fact for record in found for fact in record.get("facts", ())]
    assert sum("/classes 0/" in fact for fact in facts) >= 4


def test_raw_calls_keep_to_the_kernels(tool):
    raw_ops = tool("raw_ops")
    facts = {"kernels": {"Neg": [{"T": ["float32"]}]}, "parameters": {"Neg": ["x", "name"]}}
    made = raw_ops.cases(random.Random(2), 40, [], facts)
    assert {case["call"] for case in made} == {"raw_ops.Neg"}
    kinds = [case["kwargs"]["x"]["t"]["a"]["dtype"] for case in made]
    assert kinds.count("float32") > len(kinds) / 2


def test_rounding_is_no_difference(tool):
    report = tool("report")
    large = [1e6, 1.0]
    assert report.differences(record_of(np.float32(large)), record_of(np.float32([1e6, 1.5]))) == []
    assert len(report.differences(record_of(np.float32(large)), record_of(np.float32([1e6, 9e3])))) == 1
    assert len(report.differences(record_of(np.float32([1.0, np.nan])), record_of(np.float32([1.0, 1.0])))) == 1
    assert len(report.differences(record_of([1, 2]), record_of([1, 3]))) == 1


@pytest.mark.parametrize(
    "expected, got, ended",
    [
        ({"error": {"class": ["crash"], "where": "run", "message": ""}}, record_of(1.0), "explained"),
        (record_of(1.0), {"error": {"class": ["timeout"], "where": "run", "message": ""}}, "our timeout"),
        ({"error": {"class": ["ValueError"], "where": "build", "message": ""}}, record_of(1.0), "no error"),
        (record_of(1.0), {"error": {"class": ["ValueError"], "where": "build", "message": ""}}, "error"),
        (record_of(1.0), record_of(1.0), "same"),
        (record_of(1.0), {**record_of(1.0), "slow": 30.0}, "slow"),
    ],
)
def test_verdicts(tool, expected, got, ended):
    assert tool("report").verdict({"call": "abs"}, expected, got)[0].startswith(ended)


def test_what_is_known_has_a_reason(tool):
    known = tool("known")
    found = ["no error, expected AttributeError at build: 'list' object has no attribute 'get_shape'"]
    assert "einsum" in known.reason({"call": "einsum"}, found)
    assert known.reason({"call": "abs"}, found) is None
    assert all(why for _, _, why in known.TABLE)
