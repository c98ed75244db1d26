"""Making a plan is part of the run that it is for: bounded, ended by the run's deadline and by the session's end."""
import threading
import time
import tracemalloc

import numpy as np
import pytest

import ossia as tf
from ossia_core.proto import GraphDef
from ossia_core.session.compile import lowering
from ossia_core.session.run.context import RunContext
from ossia_functions import expansion


def doubling(levels, leaf=None):
    """A GraphDef of one call of a function that calls another one twice, and so on; the last one is the identity."""
    graph = GraphDef()
    for level in range(levels):
        made = graph.library.function.add()
        made.signature.name = f"f{level}"
        made.signature.input_arg.add(name="x", type=1)
        made.signature.output_arg.add(name="y", type=1)
        last = level == levels - 1
        for i, source in enumerate(() if last else ("x", "a0:output:0")):
            call(made.node_def.add(name=f"a{i}", input=[source]), f"f{level + 1}")
        if last and leaf:
            node = made.node_def.add(name="a1", op=leaf, input=["x"])
            node.attr["T"].type = 1
        made.ret["y"] = "x" if last and not leaf else "a1:output:0" if not last else "a1:y:0"
    x = graph.node.add(name="x", op="Placeholder")
    x.attr["dtype"].type = 1
    call(graph.node.add(name="y", input=["x"]), "f0")
    return graph


def call(node, function):
    node.op = "PartitionedCall"
    node.attr["f"].func.name = function
    for key in ("Tin", "Tout"):
        node.attr[key].list.type.append(1)


@pytest.fixture
def graph():
    with tf.Graph().as_default() as made:
        yield made


def config(milliseconds):
    return tf.ConfigProto(operation_timeout_in_ms=milliseconds)


@pytest.mark.parametrize("leaf", [None, "Square"])
def test_calls_are_bounded(graph, leaf, monkeypatch):
    """A graph of a few kilobytes stands for 2**40 calls, of functions that do something or nothing."""
    monkeypatch.setattr(expansion, "_MAX_NODES", 2000)
    x, y = tf.import_graph_def(doubling(40, leaf), name="", return_elements=["x:0", "y:0"])
    with tf.Session() as session, pytest.raises(tf.errors.ResourceExhaustedError, match="more than 2000 nodes"):
        session.run(y, {x: 1.0})


def test_calls_within_the_bound(graph):
    x, y = tf.import_graph_def(doubling(6, "Square"), name="", return_elements=["x:0", "y:0"])
    with tf.Session() as session:
        assert session.run(y, {x: 1.0}) == 1.0


class _Clock:
    """A monotonic clock that goes on by a second whenever it is read."""

    def __init__(self):
        self.now = 0.0

    def monotonic(self):
        self.now += 1.0
        return self.now


@pytest.fixture
def clock(monkeypatch):
    made = _Clock()
    monkeypatch.setattr("ossia_core.session.run.context.time", made)
    return made


@pytest.mark.parametrize("how", ["config", "options"])
@pytest.mark.parametrize("leaf", [None, "Square"])
def test_the_deadline_ends_the_expansion_of_calls(graph, clock, leaf, how):
    x, y = tf.import_graph_def(doubling(40, leaf), name="", return_elements=["x:0", "y:0"])
    options = tf.RunOptions(timeout_in_ms=10_000) if how == "options" else None
    with tf.Session(config=config(10_000 if how == "config" else 0)) as session:
        with pytest.raises(tf.errors.DeadlineExceededError):
            session.run(y, {x: 1.0}, options=options)
    assert clock.now < 30


def test_the_deadline_ends_folding(graph, clock):
    y = tf.constant(np.ones([64], np.float32))
    for _ in range(100):
        y = tf.exp(y)
    with tf.Session(config=config(20_000)) as session, pytest.raises(tf.errors.DeadlineExceededError):
        session.run(y)
    assert clock.now < 30


def test_the_deadline_ends_the_making_of_many_steps(graph, clock, monkeypatch):
    monkeypatch.setattr(lowering, "_BETWEEN_CHECKS", 2)
    x = y = tf.placeholder(tf.float32, [2])
    for _ in range(100):
        y = tf.exp(y)
    with tf.Session(config=config(20_000)) as session, pytest.raises(tf.errors.DeadlineExceededError):
        session.run(y, {x: [1.0, 2.0]})
    assert clock.now < 30


def test_a_plan_that_was_given_up_is_made_anew(graph):
    x, y = tf.import_graph_def(doubling(9, "Square"), name="", return_elements=["x:0", "y:0"])
    with tf.Session() as session:
        expired = RunContext(session.state, 1)
        expired.deadline = 0.0
        with pytest.raises(tf.errors.DeadlineExceededError):
            session._prepare(y, (x,), expired)
        assert session.run(y, {x: 1.0}) == 1.0


def test_closing_the_session_ends_the_expansion(graph):
    x, y = tf.import_graph_def(doubling(40), name="", return_elements=["x:0", "y:0"])
    session = tf.Session()
    session.state.closed.set()
    with pytest.raises(tf.errors.CancelledError):
        session.run(y, {x: 1.0})


@pytest.mark.parametrize("sizes", [{"width": 2**31 - 1}, {"precision": 2**31 - 1}, {"width": 2**21}], ids=str)
def test_numbers_as_very_long_texts(graph, sizes):
    text = tf.as_string(tf.constant([1.0, 2.0]), **sizes)
    tracemalloc.start()
    try:
        with tf.Session() as session, pytest.raises(tf.errors.ResourceExhaustedError):
            session.run(text)
        assert tracemalloc.get_traced_memory()[1] < 10e6
    finally:
        tracemalloc.stop()


def test_long_texts_are_left_to_the_run(graph):
    text = tf.as_string(tf.constant([1.0]), width=2**20)
    for _ in range(40):
        text = tf.strings.join([text, text])
    length = tf.strings.length(tf.strings.substr(text, 0, 1))
    tracemalloc.start()
    try:
        with tf.Session() as session:
            plan = session._prepare(length, (), session._context).plan
            assert plan.work
        assert tracemalloc.get_traced_memory()[1] < 10e6
    finally:
        tracemalloc.stop()


def test_runs_of_a_session_that_is_closed_are_cancelled(graph):
    """Whatever a run finds gone because the session was closed meanwhile, it was cancelled."""
    variable = tf.get_variable("v", initializer=np.zeros(10, np.float32))
    resource = tf.get_variable("r", initializer=np.zeros(10, np.float32), use_resource=True)
    gate, go_on = threading.Event(), threading.Event()

    def wait(x):
        gate.set()
        go_on.wait()
        return x

    waited = tf.py_func(wait, [np.float32(1.0)], tf.float32)
    with tf.control_dependencies([waited]):
        reads = [tf.identity(variable), resource.read_value(), tf.assign_add(variable, tf.ones([10]))]
    for fetched in reads:
        session = tf.Session()
        session.run(tf.global_variables_initializer())
        gate.clear()
        go_on.clear()
        found = []

        def run(session=session, fetched=fetched, found=found):
            with pytest.raises(tf.errors.OpError) as caught:
                session.run(fetched)
            found.append(caught.type)

        thread = threading.Thread(target=run)
        thread.start()
        gate.wait()
        session.close()
        go_on.set()
        thread.join()
        assert found == [tf.errors.CancelledError]


def test_time_is_counted_from_the_beginning_of_the_run(graph):
    """The making of the plan leaves the run less."""
    queue = tf.FIFOQueue(1, tf.float32)
    with tf.Session(config=config(200)) as session:
        begun = time.monotonic()
        with pytest.raises(tf.errors.DeadlineExceededError):
            session.run(queue.dequeue())
        assert time.monotonic() - begun >= 0.2
