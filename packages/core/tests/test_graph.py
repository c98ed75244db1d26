"""Graphs: names, scopes, elements, collections, and what building refuses."""
import threading

import numpy as np
import pytest

import ossia as tf


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


class TestNames:
    def test_numbers_are_appended(self):
        assert [tf.constant(1, name="a").name for _ in range(3)] == ["a:0", "a_1:0", "a_2:0"]
        assert tf.constant(1, name="A").name == "A_3:0"

    def test_scopes(self, graph):
        with tf.name_scope("s") as first, tf.name_scope("t") as second:
            assert (first, second, tf.constant(1).op.name) == ("s/", "s/t/", "s/t/Const")
        with tf.name_scope("s") as again, tf.name_scope(None):
            assert (again, tf.constant(1).op.name) == ("s_1/", "Const")
        with tf.name_scope(first):
            assert tf.constant(1).op.name == "s/Const"
        assert graph.get_name_scope() == ""

    def test_a_scope_is_left_after_an_error(self, graph):
        with pytest.raises(KeyError), tf.name_scope("s"):
            raise KeyError
        assert graph.get_name_scope() == ""

    @pytest.mark.parametrize("name", ["a b", "a:b", "-a", "_a", "é", "a\n", "/a"])
    def test_bad_names(self, name):
        with pytest.raises(ValueError, match="is not a valid"):
            tf.no_op(name=name)
        with pytest.raises(ValueError, match="is not a valid scope name"), tf.name_scope(name):
            pass

    def test_values_of_another_graph(self):
        here = tf.constant(1.0)
        with tf.Graph().as_default() as other:
            there = tf.constant(2.0)
            with pytest.raises(ValueError, match="must be from the same graph"):
                here + there
        assert (there * 2.0).graph is other


class TestElements:
    def test_by_name(self, graph):
        x = tf.placeholder(tf.float32, name="x")
        assert graph.get_tensor_by_name("x:0") is x and graph.get_operation_by_name("x") is x.op
        assert graph.as_graph_element("x:0") is x and graph.as_graph_element(x.op) is x.op

    @pytest.mark.parametrize(
        "name, error",
        [
            ("x", ValueError),
            ("x:1", KeyError),
            ("y:0", KeyError),
            ("y", ValueError),
            ("x:a", ValueError),
            (":0", KeyError),
            ("x:0:0", ValueError),
            (3, TypeError),
            (None, TypeError),
        ],
    )
    def test_tensors_that_are_not_there(self, graph, name, error):
        tf.placeholder(tf.float32, name="x")
        with pytest.raises(error):
            graph.get_tensor_by_name(name)

    @pytest.mark.parametrize("name, error", [("y", KeyError), ("x:0", ValueError), (3, TypeError)])
    def test_operations_that_are_not_there(self, graph, name, error):
        tf.placeholder(tf.float32, name="x")
        with pytest.raises(error):
            graph.get_operation_by_name(name)

    def test_consumers_and_edges(self, graph):
        x = tf.constant(1.0)
        y = x + x
        assert x.consumers() == [y.op, y.op] and list(y.op.inputs) == [x, x]
        with graph.control_dependencies([y]):
            z = tf.no_op()
        assert z.control_inputs == [y.op] and y.op._control_outputs == [z]


class TestScopes:
    def test_control_dependencies(self, graph):
        a, b = tf.no_op(), tf.no_op()
        with tf.control_dependencies([a]):
            with tf.control_dependencies([b]):
                both = tf.no_op()
            with tf.control_dependencies(None):
                none = tf.no_op()
            one = tf.no_op()
        assert (both.control_inputs, none.control_inputs, one.control_inputs) == ([a, b], [], [a])
        for bad in (3, [3], [None]):
            with pytest.raises(TypeError), tf.control_dependencies(bad):
                pass

    def test_colocation_with_what_follows(self, graph):
        x = tf.constant(1.0, name="x")
        with tf.device("/cpu:1"), tf.colocate_with(x):
            y = tf.constant(2.0)
        assert y.op.colocation_groups() == [b"loc:@x"] and y.device == ""
        with pytest.raises(ValueError, match="ignore_existing"), graph.colocate_with(None):
            pass

    def test_devices(self):
        with tf.device("/job:ps"), tf.device("/gpu:1"):
            x = tf.constant(1.0)
            with tf.device(lambda op: "/cpu:0" if op.type == "NoOp" else "/gpu:0"):
                kinds = [tf.no_op().device, tf.constant(1.0).device]
            with tf.device(None):
                free = tf.no_op()
        assert x.device == "/job:ps/device:GPU:1" and free.device == ""
        assert kinds == ["/job:ps/device:CPU:0", "/job:ps/device:GPU:0"]
        with pytest.raises(ValueError), tf.device("/nonsense:x"):
            tf.no_op()

    def test_collections(self, graph):
        tf.add_to_collection("c", 1)
        graph.add_to_collections(["c", "d", "c"], 2)
        assert tf.get_collection("c") == [1, 2] and sorted(graph.get_all_collection_keys()) == ["c", "d"]
        tf.get_collection_ref("c").append(3)
        assert tf.get_collection("c") == [1, 2, 3]
        graph.clear_collection("c")
        assert tf.get_collection("c") == []


class TestBuilding:
    @pytest.mark.parametrize(
        "build, error, text",
        [
            (
                lambda: tf.matmul(tf.zeros([2, 3]), tf.zeros([2, 3])),
                ValueError,
                "Dimensions must be equal, but are 3 and 2",
            ),
            (
                lambda: tf.constant(1.0) + tf.constant(1),
                TypeError,
                "Input 'y' of 'AddV2' Op has type int32 that does not match type float32 of argument 'x'",
            ),
            (lambda: tf.logical_and(1.0, True), TypeError, "bool"),
            (lambda: tf.zeros([2]) + tf.zeros([3]), ValueError, "Dimensions must be equal"),
            (lambda: tf.reshape(tf.zeros([6]), [4, -1]), ValueError, "evenly"),
            (lambda: tf.placeholder(tf.float32, [-2]), ValueError, ">= 0"),
            (lambda: tf.add(None, 1.0), ValueError, "None"),
            (lambda: tf.convert_to_tensor(object()), TypeError, "convert"),
            (lambda: tf.constant([[1], [1, 2]]), ValueError, "dense"),
            (lambda: tf.cast(1.0, "nonsense"), TypeError, "nonsense"),
            (lambda: tf.nn.softmax("text"), TypeError, "string"),
        ],
    )
    def test_refusals(self, build, error, text):
        with pytest.raises(error, match=text):
            build()

    def test_a_refused_node_leaves_no_trace(self, graph):
        x = tf.zeros([2, 3], name="x")
        before = graph.get_operations()
        with pytest.raises(ValueError):
            tf.matmul(x, x)
        assert graph.get_operations() == before and x.consumers() == []

    def test_tensors_are_no_python_values(self):
        x = tf.constant([1.0])
        for use in (lambda: bool(x), lambda: len(x), lambda: list(x), lambda: np.asarray(x), lambda: [1, 2][x]):
            with pytest.raises((TypeError, NotImplementedError)):
                use()
        assert x == x and x != tf.constant([1.0]) and len({x, x}) == 1

    def test_shapes_that_ask_for_too_much(self):
        huge = [2**31, 2**31, 2**31]
        with pytest.raises((ValueError, tf.errors.InvalidArgumentError)), tf.Session() as session:
            session.run(tf.fill(huge, 0.0))
        with pytest.raises((tf.errors.ResourceExhaustedError, tf.errors.InvalidArgumentError)), tf.Session() as session:
            session.run(tf.fill(tf.placeholder_with_default([2**43], [1]), 0.0))

    def test_tracebacks(self):
        x = tf.constant(1.0)
        file, _, function, _ = x.op.traceback[-1]
        assert file.endswith("test_graph.py") and function == "test_tracebacks"


def test_cost_grows_linearly():
    import time

    def cost(size):
        with tf.Graph().as_default():
            y = x = tf.constant(1.0)
            began = time.process_time()
            for _ in range(size):
                y = y + x
            return (time.process_time() - began) / size
    small = min(cost(1000) for _ in range(3))
    assert cost(20_000) < 5 * small


class TestScopesOfThreads:
    def test_each_thread_has_a_default_graph(self):
        found = []

        def build():
            found.append(tf.get_default_graph())
            assert tf.constant(1, name="there").graph is found[0] and tf.Session().graph is found[0]
            tf.reset_default_graph()
            found.append(tf.get_default_graph())

        here = tf.get_default_graph()
        thread = threading.Thread(target=build)
        thread.start()
        thread.join()
        assert len(found) == 2 and len({here, *found}) == 3 and tf.get_default_graph() is here

    def test_name_scopes_hold_for_one_thread(self):
        """Of the scopes of a graph those of names are each thread's own; devices and control inputs are not."""
        graph, made = tf.Graph(), []

        def build():
            with graph.as_default():
                made.append(tf.constant(1))

        with graph.as_default():
            first = tf.constant(0, name="first")
            with tf.name_scope("outer"), tf.device("/cpu:0"), tf.control_dependencies([first]):
                thread = threading.Thread(target=build)
                thread.start()
                thread.join()
                made.append(tf.constant(1))
        assert [tensor.name for tensor in made] == ["Const:0", "outer/Const:0"]
        assert made[0].op.device == "/device:CPU:0" and made[0].op.control_inputs == [first.op]

    def test_refused_names_stay_free(self):
        with tf.Graph().as_default() as graph:
            graph.finalize()
            with pytest.raises(RuntimeError, match="finalized"):
                tf.constant(1)
            graph._unsafe_unfinalize()
            assert tf.constant(1).name == "Const:0"


class TestChangedOperations:
    def test_inputs_that_do_not_fit(self):
        with tf.Graph().as_default():
            total = tf.add(tf.constant([1.0, 2.0]), 1.0).op
            with pytest.raises(tf.errors.OutOfRangeError, match="greater than the number of total inputs"):
                total._update_input(2, tf.constant(1.0))
            with pytest.raises(tf.errors.InvalidArgumentError, match="incompatible shapes"):
                total._update_input(0, tf.constant([1.0, 2.0, 3.0]))
            with pytest.raises(TypeError, match="op must be an Operation"):
                total._add_control_input(tf.constant(1.0))

    def test_attributes_go(self):
        with tf.Graph().as_default():
            op = tf.constant(1).op
            op._set_attr("_mark", tf.AttrValue(i=3))
            assert op.get_attr("_mark") == 3
            op._clear_attr("_mark")
            with pytest.raises(ValueError, match="no attr named '_mark'"):
                op.get_attr("_mark")

    def test_sparse_tensors_are_no_control_inputs(self):
        with tf.Graph().as_default():
            sparse = tf.SparseTensor([[0]], [1], [1])
            with pytest.raises(TypeError, match="Can not convert a SparseTensor"):
                tf.control_dependencies([sparse]).__enter__()
            with tf.control_dependencies([tf.IndexedSlices(tf.constant([1]), tf.constant([0]))]):
                assert len(tf.constant(1).op.control_inputs) == 1

    def test_slices_of_two_graphs(self):
        with tf.Graph().as_default():
            values = tf.constant([1.0])
        with tf.Graph().as_default(), pytest.raises(ValueError, match="same graph"):
            tf.IndexedSlices(values, tf.constant([0]))


def test_what_may_no_longer_be_fetched():
    with tf.Graph().as_default() as graph, tf.Session() as session:
        total = tf.constant(1) + 1
        assert session.run(total) == 2
        graph.prevent_fetching(total.op)
        with pytest.raises(ValueError, match="not fetchable"):
            session.run(total)
