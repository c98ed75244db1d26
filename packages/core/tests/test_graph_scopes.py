"""Scopes of a graph: of threads, in functions, and where the program asked for them."""
from __future__ import annotations

import threading

import pytest

import ossia as tf
from ossia_core.names.errors import InvalidArgumentError


def _in_thread(body):
    """Runs `body` in a thread that stays inside its scopes until what it returns is called."""
    entered, leave = threading.Event(), threading.Event()

    def run():
        with body():
            entered.set()
            leave.wait()

    thread = threading.Thread(target=run)
    thread.start()
    entered.wait()

    def end():
        leave.set()
        thread.join()

    return end


def test_scopes_of_other_threads_hold_for_all_threads():
    graph = tf.Graph()
    with graph.as_default():
        first = tf.no_op("first")
        end = _in_thread(lambda: graph.control_dependencies([first]))
        second = tf.no_op("second")
        end()
    assert second.control_inputs == [first]


@pytest.mark.parametrize("kind", ["controls", "devices", "colocations"])
def test_scopes_of_other_threads_do_not_hold_once_threads_have_their_own(kind):
    graph = tf.Graph()
    with graph.as_default():
        first = tf.no_op("first")
        scopes = {
            "controls": lambda: graph.control_dependencies([first]),
            "devices": lambda: graph.device("/cpu:0"),
            "colocations": lambda: graph.colocate_with(first),
        }
        graph.switch_to_thread_local()
        end = _in_thread(scopes[kind])
        second = tf.no_op("second")
        end()
    assert (second.control_inputs, second.device, second.colocation_groups()) == ([], "", [b"loc:@second"])


def test_a_device_scope_left_too_early_stays():
    graph = tf.Graph()
    outer = graph.device("/device:GPU:8")
    outer.__enter__()
    with graph.device("/device:GPU:9"), pytest.raises(RuntimeError, match="without proper scope nesting"):
        outer.__exit__(None, None, None)


def test_the_device_of_a_colocated_node_wins():
    with tf.Graph().as_default():
        with tf.device("/job:a"):
            first = tf.no_op("first")
        with tf.colocate_with(first), tf.device("/gpu:0"):
            second = tf.no_op("second")
    assert second.device == "/job:a"


def test_nodes_know_where_devices_and_colocations_were_asked_for():
    def choose(node):
        return "/gpu:0"

    with tf.Graph().as_default():
        first = tf.no_op("first")
        with tf.device("/cpu:0"), tf.colocate_with(first), tf.device(choose):
            second = tf.no_op("second")
        with tf.device("/cpu:0"), tf.device(None):
            third = tf.no_op("third")
    [place] = second._device_assignments
    assert place.obj.startswith(f"choose<{__file__}, ") and place.filename == __file__ and place.lineno > 0
    assert [(name, place.filename) for name, place in second._colocation_dict.items()] == [("first", __file__)]
    assert [place.obj for place in third._device_assignments] == ["None", "/cpu:0"]
    assert first._device_assignments == [] and first._colocation_dict == {}


def test_init_scope_leaves_graphs_of_functions_and_keeps_their_devices():
    outer, body = tf.Graph(), tf.Graph()
    body._building_function = True
    with outer.as_default(), tf.device("/cpu:0"), body.as_default(), tf.device("/gpu:0"), tf.init_scope():
        lifted = tf.no_op("lifted")
    assert lifted.graph is outer and lifted.device == "/device:GPU:0"


def test_init_scope_keeps_the_devices_inside_of_a_colocation_else_those_outside():
    with tf.Graph().as_default():
        other = tf.no_op()
        with tf.device("/job:a"), tf.colocate_with(other):
            with tf.init_scope():
                outside = tf.no_op()
            with tf.device("/cpu:1"), tf.init_scope():
                inside = tf.no_op()
    assert (outside.device, inside.device) == ("/job:a", "/device:CPU:1")


def test_attributes_of_scopes_are_attr_values():
    for wrong in (1, {1: tf.AttrValue(i=1)}, {"_a": 1}):
        with pytest.raises(TypeError, match="attr_map must be a dictionary mapping strings to AttrValue"):
            with tf.Graph()._attr_scope(wrong):
                pass


def test_a_graph_with_a_cycle_or_an_input_of_another_dtype_is_refused_as_a_whole():
    with tf.Graph().as_default(), tf.Session() as session:
        zero, one, two = tf.constant(0), tf.constant(1), tf.constant(2)
        two.op._add_control_inputs([zero.op, one.op])
        one.op._add_control_input(two.op)
        with pytest.raises(InvalidArgumentError, match="Graph is invalid, contains a cycle with 2 nodes"):
            session.run(one)
    with tf.Graph().as_default(), tf.Session() as session:
        number, text = tf.constant(0), tf.constant("")
        total = number + number
        total.op._update_input(0, text)
        with pytest.raises(InvalidArgumentError, match="Input 0 of node add was passed string from Const_1:0 incompat"):
            session.run(number)
        total.op._update_input(0, number)
        assert session.run(total) == 0
