"""Cases: how their runs are scheduled, and how case files are loaded."""
import ossia as tf
from ossia_testkit import recording
from ossia_testkit.golden_case import Case, Raised, raises


def test_steps_repeat_the_fetches():
    assert Case("f", feeds={"x": 1}, steps=2).schedule() == [("f", {"x": 1})] * 2


def test_feeds_for_each_step():
    assert Case("f", feeds=[{"x": 1}, {"x": 2}], steps=2).schedule() == [("f", {"x": 1}), ("f", {"x": 2})]


def test_runs_with_feeds_of_their_own():
    assert Case(runs=["a", ("b", {"x": 2}), ("c", "d")], feeds={"x": 1}).schedule() == [
        ("a", {"x": 1}), ("b", {"x": 2}), (("c", "d"), {"x": 1})]


def test_raises_gives_a_fact():
    fact = raises(int, "x")
    assert isinstance(fact, Raised)
    assert fact.classes[0] == "ValueError"
    assert raises(int, "3").classes == ["no error"]


def test_nodes_before_a_refused_call_are_compared_on_request():
    def built(nodes):
        def case(tf):
            x = tf.placeholder(tf.float32, name="x")
            return Case([raises(tf.gradients, tf.identity(x), [], "wrong")], graph_only=True, nodes=nodes)
        return recording.record_case(tf, case).get("graph")

    assert built(None) is None
    assert [node[0] for node in built(1)["nodes"]] == ["x"]


def test_case_files_load_by_path(tmp_path):
    path = tmp_path / "sum_cases.py"
    path.write_text("from golden_case import Case\nSEED = None\n\n"
                    "def case_b(tf):\n    return 1\n\ndef case_a(tf):\n    return Case(2)\n")
    cases, seed = recording.load_cases(str(path))
    assert list(cases) == ["b", "a"]
    assert seed is None
    assert recording.golden_path(str(path)) == str(tmp_path / "sum_golden.json.xz")


def test_golden_files(tmp_path):
    path = str(tmp_path / "x_golden.json.xz")
    assert recording.load_golden(path) == {}
    recording.save_golden(path, {"a": {"n": 1}}, "1.15.5")
    assert recording.load_golden(path) == {"a": {"n": 1}}
