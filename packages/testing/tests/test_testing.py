"""`tf.test`: sessions, assertions with what they accept and refuse, gradients and benchmarks."""

import collections
import os
import random
import subprocess
import sys

import numpy as np
import pytest

import ossia as tf

P = collections.namedtuple("P", "x y")
nan = float("nan")


class Case(tf.test.TestCase):
    def runTest(self):
        pass


@pytest.fixture
def case():
    case = Case()
    case.setUp()
    yield case
    case.tearDown()


PASS = [
    ("assertAllClose", 1.0, 1.0 + 1e-7), ("assertAllClose", [1.0, 2.0], (1.0, 2.0)),
    ("assertAllClose", {"a": 1.0}, {"a": 1.0}), ("assertAllClose", nan, nan),
    ("assertAllClose", P(1, 2), {"x": 1, "y": 2}), ("assertAllClose", [[1.0], [2.0, 3.0]], [[1.0], [2.0, 3.0]]),
    ("assertAllClose", np.inf, np.inf),
    ("assertAllClose", np.zeros((2, 0)), np.zeros((2, 0))), ("assertNotAllClose", 1.0, 2.0), ("assertAllEqual",
    [1, nan], [1, nan]), ("assertAllEqual", [], []),
    ("assertAllEqual", ["a"], ["a"]), ("assertAllEqual", [1.0], [1]), ("assertNotAllEqual", [1], [2]),
    ("assertAllGreater", [1, 2], 0), ("assertAllLess", [1, 2], 3),
    ("assertAllGreaterEqual", [1, 2], 1), ("assertAllLessEqual", [1, 2], 2), ("assertAllInRange", [1, 2], 1, 2),
    ("assertAllInSet", [1, 2], [1, 2, 3]),
    ("assertAllCloseAccordingToType", np.float32([1]), np.float16([1.0009])), ("assertArrayNear", [1.0, 2.0],
    [1.0, 2.001], 0.01), ("assertNear", 1.0, 1.1, 0.2),
    ("assertNear", np.array([1.0]), 1.1, 0.2),
    ("assertNDArrayNear", np.array([1.0]), np.array([1.1]), 0.2), ("assertDTypeEqual", np.float32([1]), "float32"),
    ("assertDeviceEqual", "/cpu:0", "/device:CPU:0"),
    ("assertStartsWith", "abc", "ab"), ("assertItemsEqual", [1, 2], [2, 1]), ("assertEquals", 1, 1),
]  # fmt: skip
FAIL = [
    ("assertAllClose", 1.0, 1.1), ("assertAllClose", [1.0, 2.0], [1.0, 2.0, 3.0]),
    ("assertAllClose", {"a": 1.0}, {"b": 1.0}), ("assertAllClose", P(1, 2), P(1, 3)),
    ("assertAllClose", [{"a": 1.0}], [{"a": 1.5}]), ("assertAllClose", np.float16(1), np.float16(1.0005)),
    ("assertAllClose", np.zeros((2, 1)), np.zeros((1, 2))),
    ("assertNotAllClose", 1.0, 1.0), ("assertAllEqual", [1, 2], [1, 3]), ("assertAllEqual", [b"a"], ["a"]),
    ("assertAllEqual", np.float32(0.1), 0.1),
    ("assertAllEqual", 1, [1]), ("assertNotAllEqual", [1], [1]), ("assertAllGreater", [1, 2], 1), ("assertAllLess",
    [1, 2], 2), ("assertAllGreaterEqual", [1, 2], 2),
    ("assertAllLessEqual", [1, 2], 1), ("assertAllInRange", [1, 2], 1, 2, True), ("assertAllInRange",
    [1, 2], 1, 2, False, True), ("assertAllInRange", ["a"], 1, 2),
    ("assertAllInSet", [1, 4], [1, 2, 3]), ("assertAllCloseAccordingToType", np.float32([1]), np.float32([1.0009])),
    ("assertArrayNear", [1.0, 2.0], [1.0, 2.1], 0.01),
    ("assertArrayNear", [1.0, 2.0], [1.0], 0.01), ("assertNear", 1.0, 1.1, 0.01), ("assertNear", nan, nan, 0.1),
    ("assertDTypeEqual", np.zeros(2), np.float32),
    ("assertDeviceEqual", "/job:a", "/job:b"), ("assertStartsWith", "abc", "x"),
]  # fmt: skip


@pytest.mark.parametrize("name,arguments", [(name, arguments) for name, *arguments in PASS])
def test_passes(case, name, arguments):
    getattr(case, name)(*arguments)


@pytest.mark.parametrize("name,arguments", [(name, arguments) for name, *arguments in FAIL])
def test_fails(case, name, arguments):
    with pytest.raises(AssertionError):
        getattr(case, name)(*arguments)


def test_dicts_are_not_compared_with_lists(case):
    with pytest.raises(ValueError):
        case.assertAllClose({"a": 1.0}, [1.0])


@pytest.mark.parametrize(
    ("name", "arguments", "text"),
    [
        ("assertAllClose", ({"y": [1.0, {"n": 2.0}]}, {"y": [1.0, {"n": 3.0}]}),
         r"a\[y\]\[1\]\[n\] is different from b\[y\]\[1\]\[n\]"),
        ("assertAllClose", ([1.0], [2.0]),
         r"not close where = \(array\(\[0\]\),\)\nnot close lhs = \[1.\]\nnot close rhs = \[2.\]"),
        ("assertAllClose", ({"a": 1.0}, {"b": 1.0}), r"a has keys dict_keys\(\['a'\]\), but b has keys"),
        ("assertAllEqual", ([1, 2], [1, 3]), r"not equal lhs = \[2\]\nnot equal rhs = \[3\]"),
        ("assertAllEqual", ([1], [1, 2]), r"Shape mismatch: expected \(1,\), got \(2,\). Contents: \[1\]"),
        ("assertAllInRange", ([[1.0, 9.0]], 0, 1), r"offending elements:\n  \[0 1\] : 9.0"),
        ("assertAllInRange", (np.arange(30.0), 0, 5), r"24 of the 30 element\(s\)(.|\n)*\[15\] : 15.0\n  \.\.\.$"),
    ],
)
def test_failures_say_where(case, name, arguments, text):
    with pytest.raises(AssertionError, match=text):
        getattr(case, name)(*arguments)


def test_tensors_are_evaluated(case):
    case.assertAllEqual(tf.constant([1, 2]), [1, 2])
    case.assertAllClose({"a": tf.constant([1.0, 2.0])}, {"a": tf.constant([1.0, 2.0])})
    assert case.evaluate({"a": tf.constant(3), "b": [tf.constant(1.0)]}) == {"a": 3, "b": [1.0]}
    with pytest.raises(AssertionError):
        case.assertAllEqual(tf.constant([1, 2]), tf.constant([1, 3]))


def test_shapes(case):
    case.assertShapeEqual(np.zeros((2, 3)), tf.constant(np.zeros((2, 3))))
    for shape in [2, 4], [None, 3], [2]:
        with pytest.raises(AssertionError):
            case.assertShapeEqual(np.zeros((2, 3)), tf.placeholder(tf.float32, shape))
    for arguments in ((3, tf.constant(3)), (np.zeros(2), np.zeros(2))):
        with pytest.raises(TypeError):
            case.assertShapeEqual(*arguments)


def test_each_test_begins_alike(case):
    tf.constant(1)
    case.setUp()
    graph = tf.get_default_graph()
    assert graph.seed == np.random.get_state()[1][0] == 87654321 and not graph.get_operations()
    assert random.random() == 0.3499765785632496


@pytest.mark.parametrize("method", ["session", "cached_session", "test_session"])
@pytest.mark.parametrize(
    "options,device", [({}, "/device:CPU:0"), ({"use_gpu": True}, ""), ({"force_gpu": True}, "/device:GPU:0")]
)
def test_sessions(case, method, options, device):
    with getattr(case, method)(**options) as session:
        assert tf.get_default_session() is session and tf.get_default_graph() is session.graph
        assert tf.constant(1).device == device
    graph = tf.Graph()
    with case.test_session(graph=graph) as session:
        assert session.graph is graph is tf.get_default_graph()


def test_cached_session_stays(case):
    with case.cached_session() as one:
        x = tf.constant(1)
    with case.test_session() as two:
        assert one is two and two.run(x) == 1
    with case.session() as other:
        assert other is not one
    with pytest.raises(RuntimeError):
        other.run(x)
    with pytest.raises(ValueError), case.cached_session(graph=tf.Graph()):
        pass


@pytest.mark.parametrize("expected", ["must feed", "feed.*pp", lambda error: "pp" in str(error)])
def test_errors_of_operations(case, expected):
    with case.session() as session:
        p = tf.placeholder(tf.float32, name="pp")
        with case.assertRaisesOpError(expected):
            session.run(p)


def test_other_errors(case):
    with case.assertRaisesWithPredicateMatch(ValueError, "abc"):
        raise ValueError("xabcx")
    for error in ValueError("y"), TypeError("abc"), None:
        with pytest.raises(AssertionError), case.assertRaisesWithPredicateMatch(ValueError, "abc"):
            if error:
                raise error


def test_protos(case):
    node = tf.NodeDef(name="a", op="b")
    case.assertProtoEquals('name: "a" op: "b"', node)
    case.assertProtoEquals(tf.NodeDef(name="a", op="b"), node)
    case.assertProtoEqualsVersion(
        'node { name: "a" }', tf.GraphDef(node=[tf.NodeDef(name="a")], versions={"producer": 134})
    )
    for other in 'name: "a" op: "c"', tf.NodeDef(), 3:
        with pytest.raises(AssertionError):
            case.assertProtoEquals(other, node)


def test_threads(case):
    seen = []
    thread = case.checkedThread(target=seen.append, args=(3,))
    thread.start()
    thread.join()
    assert seen == [3] and not thread.is_alive()
    bad = case.checkedThread(target=lambda: 1 / 0)
    bad.start()
    with pytest.raises(AssertionError, match="Error in checkedThread: division by zero"):
        bad.join()


def test_captured_stream(case, capfd):
    with case.captureWritesToStream(sys.__stderr__) as captured:
        os.write(sys.__stderr__.fileno(), b"caught")
    with case.captureWritesToStream(sys.__stderr__) as captured:
        os.write(sys.__stderr__.fileno(), b"caught")
        assert captured.contents() == "caught"
    assert "caught" not in capfd.readouterr().err


def test_folders(case, monkeypatch):
    assert case.get_temp_dir() == case.get_temp_dir() and os.path.isdir(case.get_temp_dir())
    assert tf.test.get_temp_dir() == tf.test.get_temp_dir() and case.get_temp_dir().startswith(tf.test.get_temp_dir())
    monkeypatch.setenv("TEST_SRCDIR", "/src")
    assert tf.test.test_src_dir_path("x") == os.path.join("/src", "x")
    assert case.create_tempfile(content="text").read_text() == "text"


def test_machine():
    assert not (
        tf.test.is_built_with_cuda()
        or tf.test.is_gpu_available()
        or tf.test.is_built_with_rocm()
        or tf.test.gpu_device_name()
    )
    assert tf.test.mock.Mock()


def graph_def(value, name="c"):
    with tf.Graph().as_default() as graph:
        tf.constant(value, name=name)
    return graph.as_graph_def()


def test_graph_defs():
    tf.test.assert_equal_graph_def(graph_def(1), graph_def(1))
    for other in graph_def(2), graph_def(1.0), graph_def(1, "d"), tf.GraphDef():
        with pytest.raises(AssertionError):
            tf.test.assert_equal_graph_def(graph_def(1), other)
        with pytest.raises(AssertionError):
            tf.test.assert_equal_graph_def(other, graph_def(1))
    with pytest.raises(TypeError):
        tf.test.assert_equal_graph_def("", tf.GraphDef())


@pytest.mark.parametrize("dtype,size", [(tf.float64, 2), (tf.complex64, 4)])
def test_gradients(dtype, size):
    with tf.Graph().as_default(), tf.Session():
        x = tf.placeholder(dtype, [2, 1])
        y = tf.identity(x)
        automatic, numeric = tf.test.compute_gradient(x, [2, 1], y, [2, 1])
        np.testing.assert_array_equal(automatic, np.eye(size))
        np.testing.assert_allclose(numeric, np.eye(size), atol=1e-3)
        assert tf.test.compute_gradient_error(x, [2, 1], y, [2, 1]) < 1e-3
        assert len(tf.test.compute_gradient([x], [[2, 1]], y, [2, 1])) == 1
        with pytest.raises(ValueError):
            tf.test.compute_gradient(x, [2, 1], y, [2, 1], x_init_value=np.zeros(2))


def test_gradients_of_several_tensors():
    """Each is fed alone, the others keep their values."""
    with tf.Graph().as_default(), tf.Session():
        x, y = tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0])
        starts = [np.full(2, 9, "f4"), np.full(2, 7, "f4")]
        found = tf.test.compute_gradient([x, y], [[2], [2]], x * y, [2], starts)
        for matrices, diagonal in zip(found, ([3, 4], [1, 2]), strict=True):
            np.testing.assert_array_equal(matrices[0], np.diag(diagonal))
            np.testing.assert_allclose(matrices[1], np.diag(diagonal), atol=1e-2)


def test_empty_gradients():
    with tf.Graph().as_default(), tf.Session():
        x = tf.placeholder(tf.float32, [0])
        assert tf.test.compute_gradient_error(x, [0], tf.identity(x), [0]) == 0


def test_stubs():
    stubs = tf.test.StubOutForTesting()
    stubs.Set(os.path, "exists", lambda path: "stub")
    stubs.SmartSet(Case, "runTest", lambda self: "stub")
    assert os.path.exists("/") == Case().runTest() == "stub"
    stubs.CleanUp()
    assert os.path.exists("/") is True and Case().runTest() is None
    with pytest.raises(AttributeError):
        stubs.SmartSet(os.path, "no_such_name", 1)


PROGRAM = """
import ossia as tf
class T(tf.test.TestCase):
    def test_fine(self):
        with self.session(): self.assertAllEqual(tf.constant(3), 3)
    def test_bad(self):
        self.assertAllEqual(1, {value})
class B(tf.test.Benchmark):
    def benchmark_constant(self):
        with tf.Session() as session:
            result = self.run_op_benchmark(session, tf.constant(1), min_iters=3, extras=dict(a=1))
            assert result["iters"] == 3 and result["wall_time"] > 0 and result["extras"]["a"] == 1
tf.test.main()
"""


@pytest.mark.parametrize("value,status", [(1, 0), (2, 1)])
def test_main(tmp_path, value, status):
    (tmp_path / "program.py").write_text(PROGRAM.format(value=value))
    done = subprocess.run([sys.executable, "program.py"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == status and "Ran 3 tests" in done.stderr and "skipped=1" in done.stderr, done.stderr


def test_benchmarks(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM.format(value=2))
    done = subprocess.run(
        [sys.executable, "program.py", "--benchmarks=B"], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0 and done.stdout.startswith("B.benchmark_constant: iters: 3, wall_time: "), done.stderr


class TestMessages(tf.test.TestCase):
    def test_shapes_are_named_in_order(self):
        with self.assertRaisesRegex(AssertionError, r"expected \(1,\), got \(2,\)"):
            self.assertAllEqual([1], [1, 2])
        with self.assertRaisesRegex(AssertionError, r"expected \(1,\), got \(2,\)"):
            self.assertAllClose([1.0], [1.0, 2.0])

    def test_another_cached_session(self):
        with self.cached_session(), self.assertRaisesRegex(ValueError, "The graph used .* is different"):
            with self.cached_session(graph=tf.Graph()):
                raise AssertionError

    def test_what_was_written_can_be_read_later(self):
        with self.captureWritesToStream(sys.__stderr__) as captured:
            print("first", file=sys.__stderr__)
            sys.__stderr__.flush()
            self.assertEqual(captured.contents(), "first\n")
            os.write(sys.__stderr__.fileno(), b"second\n")
        self.assertEqual(captured.contents(), "first\nsecond\n")


def test_op_errors_are_matched_by_message(case):
    with case.session(), pytest.raises(AssertionError, match="Tensor had"), case.assertRaisesOpError("quoted_line"):
        (tf.check_numerics(tf.placeholder_with_default(np.float32(np.nan), []), "x")).eval()  # quoted_line
