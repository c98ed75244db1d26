"""The comparison of records finds what differs, says it readably, and tolerates what may differ."""
import copy

import numpy as np
import pytest

from ossia_testkit import recording
from ossia_testkit.comparison import array_difference, decode, differences, graph_differences

NODE = ["add", "AddV2", ["x", "y"], "", {"T": "float32"}, ["float32[2]"]]
RECORD = {"fetches": {"/": "add:0 float32[2]"}, "facts": {"/n": 3}, "collections": {"c": ["add:0"]}, "options": {},
          "graph": {"nodes": [["x", "Const", [], "", {"dtype": "float32"}, ["float32[2]"]], NODE]},
          "runs": [{"/": recording.array_record(np.float32([1, 2]))}]}


def changed(path, value):
    record = copy.deepcopy(RECORD)
    *parents, last = path
    item = record
    for key in parents:
        item = item[key]
    item[last] = value
    return record


def test_equal_records_agree():
    assert differences(RECORD, copy.deepcopy(RECORD)) == []


@pytest.mark.parametrize(("path", "value", "text"), [
    (("graph", "nodes", 1, 0), "add_1", "name: got add_1, expected add"),
    (("graph", "nodes", 1, 4), {"T": "float64"}, "attr T: got float64, expected float32"),
    (("graph", "nodes", 1, 5), ["float32?"], "outputs"),
    (("graph", "nodes"), RECORD["graph"]["nodes"][:1], "1 nodes, expected 2"),
    (("fetches", "/"), "add:0 float32?", "fetch /"),
    (("facts", "/n"), 4, "fact /n: got 4, expected 3"),
    (("collections", "c"), [], "collection c"),
    (("runs", 0, "/"), recording.array_record(np.float32([1, 3])), "1 of 2 elements differ, first at [1]"),
    (("runs", 0, "/"), recording.array_record(np.float64([1, 2])), "dtype float64"),
])
def test_differences_are_found(path, value, text):
    found = "\n".join(differences(RECORD, changed(path, value)))
    assert text in found


def test_aspects():
    assert differences(RECORD, changed(("facts", "/n"), 4), ["graph", "values"]) == []
    assert differences(RECORD, changed(("graph", "nodes", 1, 5), ["float32?"]), ["graph"]) == []


def test_error_classes_may_be_narrower():
    expected = {"error": {"class": ["PrivateError", "ValueError", "Exception"], "where": "build", "message": "m"}}
    got = {"error": {"class": ["OwnError", "ValueError", "Exception"], "where": "build", "message": "other"}}
    assert differences(expected, got) == []
    assert differences(expected, {"error": {**got["error"], "where": "run"}})
    assert differences(expected, {"error": {**got["error"], "class": ["TypeError", "Exception"]}})
    assert differences(expected, RECORD)
    assert differences(RECORD, got)


def test_crash_wants_an_orderly_error():
    crash = {"error": {"class": ["crash"], "where": "run", "message": "SIGFPE"}}
    orderly = {"class": ["InvalidArgumentError", "OpError"], "where": "run", "message": "m"}
    assert differences(crash, {"error": orderly}) == []
    assert differences(crash, {"error": {**orderly, "class": ["InternalProblem"]}})
    assert differences(crash, RECORD)


@pytest.mark.parametrize("value", [np.float32([np.nan, np.inf, -np.inf, 0]), np.array(3), np.zeros((0, 2), bool),
                                   np.array([b"a", b"\xff"], object), np.complex64([1 + 2j]), np.uint8([255])])
def test_arrays_survive_recording(value):
    record = recording.array_record(value)
    assert array_difference(record, record, 0) == []
    back = decode(record)
    assert back.shape == value.shape
    if value.dtype != object:
        assert back.tobytes() == value.tobytes()


@pytest.mark.parametrize(("left", "right", "agree"), [
    (np.float32([1.0]), np.float32([1.0 + 1e-6]), True), (np.float32([1.0]), np.float32([1.001]), False),
    (np.float32([np.nan]), np.float32([np.nan]), True), (np.float32([np.inf]), np.float32([-np.inf]), False),
    (np.float64([1.0]), np.float64([1.0 + 1e-6]), False), (np.int32([1]), np.int32([2]), False),
    (np.float32([1e-30]), np.float32([2e-30]), False), (np.float32([1e6, 1e-3]), np.float32([1e6, 1.01e-3]), True),
])
def test_tolerance(left, right, agree):
    assert (array_difference(recording.array_record(left), recording.array_record(right), None) == []) is agree


def test_big_values_are_refused():
    with pytest.raises(RuntimeError, match="too large"):
        recording.array_record(np.zeros(100_000))


def test_digests_in_names_of_functions_are_numbered_by_their_use():
    def graph(first, second):
        nodes = [["while", "While", [], "", {"cond": f"cond_{first}()", "body": f"body_{second}_Wrapper()"}, []]]
        inner = [[f"body_{second}", f"body_{second}", ["x"], "", {}, []]]
        return {"nodes": nodes, "functions": {f"cond_{first}": [], f"body_{second}_Wrapper": inner}}

    one, other = graph("aB3dEfGhIjK", "zZ9xWvUtSrQ"), graph("zZZxWvUtSrQ", "aB3dEfGhIj0")
    assert graph_differences(one, other) == []
    assert graph_differences(one, graph("abcdefghijk", "zZ9xWvUtSrQ"))
    other["functions"]["cond_zZZxWvUtSrQ"] = [["x", "Less", [], "", {}, []]]
    assert graph_differences(one, other)
