"""Plans: what they compute once, what they skip, and who owns the arrays."""
import numpy as np
import pytest

import ossia as tf
from ossia_core.session.compile.plan import Plan


@pytest.fixture(autouse=True)
def numpy_only(monkeypatch):
    monkeypatch.setenv("OSSIA_BACKEND", "numpy")


@pytest.fixture
def session():
    with tf.Graph().as_default(), tf.Session() as session:
        yield session


def plan(session, fetches, feeds=()):
    return Plan(fetches, feeds, session.state, session._backends)


def kinds(made):
    return [w.node.type for w in made.work]


def test_constants_are_folded(session):
    a = tf.constant([1.0, 2.0])
    made = plan(session, [tf.reduce_sum(a * 2.0) + 1.0])
    assert kinds(made) == []
    assert session.run(tf.reduce_sum(a * 2.0) + 1.0) == 7.0


def test_stateful_nodes_are_never_folded_or_merged(session):
    a, b = tf.random_uniform([2]), tf.random_uniform([2])
    assert kinds(plan(session, [a, b])).count("RandomUniform") == 2
    first, second = session.run([a, b])
    assert not np.array_equal(first, second)


def test_common_subexpressions_are_computed_once(session):
    x = tf.placeholder(tf.float32)
    made = plan(session, [tf.sin(x) + tf.sin(x), tf.sin(x)], [x])
    assert kinds(made).count("Sin") == 1


def test_nodes_with_different_attributes_stay_apart(session):
    x = tf.placeholder(tf.float32, [2, 2])
    first, second = session.run([tf.matmul(x, x), tf.matmul(x, x, transpose_a=True)], {x: [[1.0, 2.0], [3.0, 4.0]]})
    assert not np.array_equal(first, second)


def test_shapes_with_an_attribute_that_cannot_be_compared_stay_apart(session):
    x = tf.placeholder(tf.float32, [4, 5])
    attribute = tf.AttrValue()
    attribute.tensor.CopyFrom(tf.make_tensor_proto([1.0, 2.0]))
    with tf.get_default_graph()._attr_scope({"_of_two": attribute}):
        asked = [op(input=x) for op in (tf.raw_ops.Shape, tf.raw_ops.Rank, tf.raw_ops.Size)]
    shape, rank, size = session.run(asked)
    assert (shape.tolist(), rank, size) == ([4, 5], 2, 20)


def test_what_waits_through_a_constant_says_so(session):
    first = tf.py_func(lambda: np.float32(1), [], tf.float32)
    with tf.control_dependencies([first]):
        constant = tf.constant(2.0)
        second = tf.py_func(lambda x: x, [tf.tanh(tf.random.uniform([]) + constant)], tf.float32)
    assert not second.op.control_inputs
    controls = {w.node: w.controls for w in plan(session, [second]).work}
    assert first.op in controls[constant.consumers()[0]]


def test_identities_take_no_step(session):
    x = tf.placeholder(tf.float32)
    made = plan(session, [tf.identity(tf.identity(tf.stop_gradient(x)))], [x])
    assert kinds(made) == []


def test_only_what_is_needed_runs(session):
    x = tf.placeholder(tf.float32)
    tf.Print(x, [x], "never")
    assert kinds(plan(session, [tf.exp(x)], [x])) == ["Exp"]


def test_feeds_cut_the_graph(session):
    x = tf.placeholder(tf.float32)
    y = tf.exp(x)
    assert kinds(plan(session, [y * 2.0], [y])) == ["Mul"]
    assert session.run(y * 2.0, {y: 3.0}) == 6.0


def test_shapes_of_feeds_are_not_mixed_up(session):
    x = tf.placeholder(tf.float32, [None])
    y = tf.gradients(tf.reduce_mean(x * x) + tf.reduce_sum(x + 1.0), x)[0]
    for size in (1, 3, 5, 3, 1):
        np.testing.assert_allclose(session.run(y, {x: np.ones(size)}), np.full(size, 2.0 / size + 1.0))


VIEWS = {
    "itself": lambda x: x,
    "identity": tf.identity,
    "reshape": lambda x: tf.reshape(x, [2, 1]),
    "expand_dims": lambda x: tf.expand_dims(x, 0),
    "sum along nothing": lambda x: tf.reshape(tf.reduce_sum(x, axis=[]), [2, 1]),
    "slice": lambda x: x[0:2],
    "transpose": lambda x: tf.transpose(x[None, :]),
    "stop_gradient": tf.stop_gradient,
    "identity_n": lambda x: tf.identity_n([x, x])[1],
    "cond": lambda x: tf.cond(tf.constant(True), lambda: x, lambda: x + 1.0),
    "split": lambda x: tf.split(x, 1)[0],
    "loop": lambda x: tf.while_loop(lambda i, y: i < 1, lambda i, y: (i + 1, y), [0, x])[1],
    "tile": lambda x: tf.tile(x, [1]),
}
SOURCES = {
    "feed": lambda: (tf.placeholder(tf.float32, [2]), True), "constant": lambda: (tf.constant([1.0, 2.0]), False),
    "ref variable": lambda: (tf.Variable([1.0, 2.0], use_resource=False), False),
    "resource variable": lambda: (tf.Variable([1.0, 2.0], use_resource=True), False),
}


@pytest.mark.parametrize(
    ("source", "view"), [(source, view) for source in SOURCES for view in VIEWS if (source, view) != ("feed", "itself")]
)
def test_fetched_arrays_are_the_callers(session, source, view):
    x, fed = SOURCES[source]()
    y = VIEWS[view](x if view == "itself" else tf.convert_to_tensor(x))
    array = np.array([1.0, 2.0], np.float32)
    feeds = {x: array} if fed else {}
    session.run(tf.global_variables_initializer())
    first, second = session.run([y, y], feeds)
    again = session.run(y, feeds)
    wanted = again.copy()
    assert not np.may_share_memory(again, array)
    for found in (first, second, again):
        found[...] = 77.0
    np.testing.assert_array_equal(session.run(y, feeds), wanted)
    np.testing.assert_array_equal(array, [1.0, 2.0])


def test_what_is_fed_and_fetched_comes_back_as_the_array_it_was_made_to(session):
    x, text = tf.placeholder(tf.float32), tf.placeholder(tf.string)
    array = np.array([1.0, 2.0], np.float32)
    assert session.run(x, {x: array}) is array
    assert session.make_callable([x, x + 1.0], [x])(array)[0] is array
    scalar, computed, word = session.run([x, x * 2.0, text], {x: 3, text: "ä"})
    assert type(scalar) is np.ndarray and scalar.dtype == np.float32 and scalar.shape == () and scalar == 3.0
    assert type(computed) is np.float32
    assert type(word) is np.ndarray and word.dtype == object and word.item() == "ä"
    options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
    assert session.run({"x": x}, {x: array}, options, tf.RunMetadata())["x"] is array


def test_two_fetches_of_one_value_do_not_share(session):
    x = tf.placeholder(tf.float32, [2])
    y = x * 2.0
    first, second = session.run([y, tf.identity(y)], {x: [1.0, 2.0]})
    assert not np.may_share_memory(first, second)


@pytest.mark.parametrize("use_resource", [True, False])
def test_variables_keep_no_feed_and_no_constant(session, use_resource):
    v = tf.Variable([0.0, 0.0], use_resource=use_resource)
    x, c = tf.placeholder(tf.float32, [2]), tf.constant([5.0, 6.0])
    array = np.array([1.0, 2.0], np.float32)
    session.run(v.assign(x), {x: array})
    array[:] = 9.0
    np.testing.assert_array_equal(session.run(v), [1.0, 2.0])
    session.run(v.assign(c))
    session.run(v.assign_add([1.0, 1.0]))
    np.testing.assert_array_equal(session.run(c), [5.0, 6.0])


def test_a_read_keeps_the_value_from_before_an_update(session):
    v = tf.Variable([1.0, 2.0], use_resource=True)
    session.run(v.initializer)
    before = v.read_value()
    with tf.control_dependencies([before]):
        update = v.assign_add([1.0, 1.0])
    np.testing.assert_array_equal(session.run([before, update.op])[0], [1.0, 2.0])
    np.testing.assert_array_equal(session.run(v), [2.0, 3.0])


def test_changed_edges_make_a_new_plan(session):
    a, b = tf.constant(1.0), tf.constant(2.0)
    y = tf.identity(a)
    z = y + 0.0
    assert session.run(z) == 1.0
    y.op._update_input(0, b)
    assert session.run(z) == 2.0
    v = tf.Variable(0.0)
    session.run(v.initializer)
    z.op._add_control_input(v.assign_add(1.0).op)
    session.run(z)
    assert session.run(v) == 1.0


def test_the_same_plan_gives_the_same_numbers():
    def run():
        with tf.Graph().as_default(), tf.Session() as session:
            tf.set_random_seed(3)
            x = tf.random_normal([20, 20])
            y = tf.nn.softmax(tf.matmul(x, x))
            return [session.run([y, tf.reduce_sum(x)]) for _ in range(3)]
    for first, second in zip(run(), run()):
        np.testing.assert_array_equal(first[0], second[0])
        assert first[1] == second[1]


def test_results_have_the_arrays_and_scalars_of_numpy(session):
    found = session.run([tf.constant(1), tf.constant([1.0]), tf.constant("a"), tf.constant(["a"]), tf.constant(True)])
    assert [type(value) for value in found] == [np.int32, np.ndarray, bytes, np.ndarray, np.bool_]
    transposed = session.run(tf.transpose(tf.random_uniform([2, 3])))
    assert transposed.flags.c_contiguous and transposed.flags.writeable


def test_large_values_are_forgotten_after_their_last_use(session):
    x = tf.placeholder(tf.float32, [1000, 1000])
    y = x
    for _ in range(5):
        y = tf.sin(y)
    made = plan(session, [tf.reduce_sum(y)], [x])
    from ossia_core.session.run.context import RunContext
    slots = made.start(RunContext(session.state), [np.ones((1000, 1000), np.float32)])
    for step in made.steps:
        step(slots)
    kept = [value for value in slots if isinstance(value, np.ndarray) and value.size == 1000000]
    assert len(kept) == 1  # the feed


@pytest.mark.parametrize("size", [30_000])
def test_deep_chains_need_no_recursion(session, size):
    x = tf.placeholder(tf.float32, [])
    y = x
    for _ in range(size):
        y = y + 1.0
    assert session.run(y, {x: 0.0}) == size
    c = tf.constant(0)
    for _ in range(size):
        c = c + 1
    assert session.run(c) == size
    assert tf.fill(tf.reshape(c, [1]), 0.0).shape.as_list() in ([None], [size])
    graph_def = tf.get_default_graph().as_graph_def()
    with tf.Graph().as_default():
        tf.import_graph_def(graph_def, name="")
        assert len(tf.get_default_graph().get_operations()) == len(graph_def.node)
    with tf.Graph().as_default():
        z = w = tf.constant(1.0)
        for _ in range(size // 10):
            z = tf.negative(z)
        assert tf.gradients(z, w)[0] is not None


class TestGuards:
    def run(self, session, y, feeds):
        return [session.run(y, feed) for feed in feeds]

    def test_nested_branches(self, session):
        a, b = tf.placeholder(tf.bool, []), tf.placeholder(tf.bool, [])
        y = tf.cond(
            a,
            lambda: tf.cond(b, lambda: tf.constant(1), lambda: tf.constant(2)),
            lambda: tf.cond(b, lambda: tf.constant(3), lambda: tf.constant(4)),
        )
        assert self.run(session, y, [{a: i, b: j} for i in (True, False) for j in (True, False)]) == [1, 2, 3, 4]

    def test_untaken_branches_have_no_effect(self, session):
        v = tf.Variable(0, use_resource=True)
        session.run(v.initializer)
        a = tf.placeholder(tf.bool, [])
        y = tf.cond(a, lambda: v.assign_add(1).read_value(), lambda: v.assign_add(100).read_value())
        assert self.run(session, y, [{a: True}, {a: False}, {a: True}]) == [1, 101, 102]

    def test_untaken_branches_may_not_compute(self, session):
        def refused():
            with tf.control_dependencies([tf.Assert(False, ["taken"])]):
                return tf.constant(1.0)
        x = tf.placeholder(tf.float32, [])
        y = tf.cond(x > 0, lambda: tf.log(x), refused)
        assert session.run(y, {x: 1.0}) == 0.0
        with pytest.raises(tf.errors.InvalidArgumentError, match="taken"):
            session.run(y, {x: -1.0})

    def test_branch_inside_a_loop(self, session):
        n = tf.placeholder(tf.int32, [])
        _, y = tf.while_loop(
            lambda i, s: i < n, lambda i, s: (i + 1, tf.cond(tf.equal(i % 2, 0), lambda: s + i, lambda: s - 1)), [0, 0]
        )
        assert self.run(session, y, [{n: 0}, {n: 1}, {n: 6}]) == [0, 0, 3]

    def test_loop_inside_a_branch(self, session):
        a = tf.placeholder(tf.bool, [])
        y = tf.cond(a, lambda: tf.while_loop(lambda i: i < 10, lambda i: i + 3, [0]), lambda: tf.constant(-1))
        assert self.run(session, y, [{a: True}, {a: False}]) == [12, -1]

    def test_nested_loops(self, session):
        def inner(i, total):
            _, t = tf.while_loop(lambda j, t: j < i, lambda j, t: (j + 1, t + j), [0, total])
            return i + 1, t
        _, y = tf.while_loop(lambda i, t: i < 5, inner, [0, 0])
        assert session.run(y) == sum(j for i in range(5) for j in range(i))

    def test_dead_fetch(self, session):
        from ossia_core.control.control_ops import switch
        x, p = tf.placeholder(tf.float32, []), tf.placeholder(tf.bool, [])
        false, true = switch(x, p)
        assert session.run(true, {x: 3.0, p: True}) == 3.0
        with pytest.raises(tf.errors.InvalidArgumentError, match="does not have value"):
            session.run(true + 1.0, {x: 3.0, p: False})
        assert session.run(false, {x: 2.0, p: False}) == 2.0


def test_every_node_of_a_loop_is_in_its_frame(session):
    from ossia_core.control.control_ops import enter, enter_op, exit_op
    x = enter(tf.constant(1.0), "frame", False, 10)
    assert session.run(exit_op(x)) == 1.0
    with pytest.raises(tf.errors.InvalidArgumentError):
        session.run(exit_op(tf.placeholder_with_default(1.0, [])))
    assert enter_op.type == "Enter"


def test_nodes_that_differ_in_the_sign_of_a_zero_are_two():
    x = tf.placeholder(tf.float32, [1])
    with tf.Session() as session:
        slopes = [tf.nn.leaky_relu(x, alpha) for alpha in (0.0, -0.0)]
        assert [np.signbit(y[0]) for y in session.run(slopes, {x: [-1.0]})] == [True, False]
