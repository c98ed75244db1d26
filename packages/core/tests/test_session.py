"""Sessions: fetches, feeds, errors, threads, deadlines and traces."""
import gc
import threading
import time
import weakref

import numpy as np
import pytest

import ossia as tf


@pytest.fixture
def session():
    with tf.Graph().as_default(), tf.Session() as session:
        yield session


class TestBadFeeds:
    def test_dtype(self, session):
        x = tf.placeholder(tf.int32, [], name="count")
        for value in ("text", [1, [2, 3]], 2**40, None):
            with pytest.raises((TypeError, ValueError)):
                session.run(x, {x: value})
        with pytest.raises(TypeError, match="int32"):
            session.run(x, {x: 2**31})

    def test_shape(self, session):
        x = tf.placeholder(tf.float32, [None, 3], name="rows")
        for value in (1.0, [1.0, 2.0, 3.0], np.ones((2, 4)), np.ones((1, 2, 3))):
            with pytest.raises(
                ValueError, match=r"Cannot feed value of shape .* for Tensor 'rows:0', which has shape '\(\?, 3\)'"
            ):
                session.run(x, {x: value})

    def test_tensor_as_value(self, session):
        x = tf.placeholder(tf.float32)
        with pytest.raises(TypeError, match="cannot be a tf.Tensor"):
            session.run(x, {x: tf.constant(1.0)})

    def test_what_is_not_in_the_graph(self, session):
        with tf.Graph().as_default():
            stranger = tf.placeholder(tf.float32)
        x = tf.constant(1.0)
        for key in (stranger, "nowhere:0", 3, x.op):
            with pytest.raises(TypeError, match="Cannot interpret feed_dict key as Tensor"):
                session.run(x, {key: 1.0})
        with pytest.raises(TypeError, match="dictionary"):
            session.run(x, [(x, 1.0)])

    def test_what_may_not_be_fed(self, session):
        x = tf.placeholder(tf.float32, name="x")
        session.graph.prevent_feeding(x)
        with pytest.raises(ValueError, match="may not be fed"):
            session.run(x, {x: 1.0})

    def test_missing(self, session):
        x = tf.placeholder(tf.float32, [2, None], name="x")
        with pytest.raises(
            tf.errors.InvalidArgumentError, match=r"You must feed a value for placeholder tensor 'x' with dtype float"
        ) as caught:
            session.run(x + 1.0)
        assert caught.value.op is x.op and caught.value.node_def.name == "x"
        assert "test_session.py" in str(caught.value)

    def test_many(self, session):
        xs = [tf.placeholder(tf.float32) for _ in range(500)]
        assert session.run(tf.add_n(xs), dict.fromkeys(xs, 1.0)) == 500.0

    def test_composites(self, session):
        sparse = tf.sparse_placeholder(tf.float32)
        value = tf.SparseTensorValue([[0, 1]], [2.0], [2, 2])
        found = session.run(sparse, {sparse: value})
        assert found.dense_shape.tolist() == [2, 2] and found.values.tolist() == [2.0]
        with pytest.raises((TypeError, ValueError)):
            session.run(sparse, {sparse: 3.0})


class TestBadFetches:
    def test_kinds(self, session):
        x = tf.constant(1.0)
        for fetch in (None, [x, None], 3, {"a": 1.5}):
            with pytest.raises(TypeError, match="Fetch argument"):
                session.run(fetch)

    def test_strangers(self, session):
        tf.constant(1.0, name="here")
        with tf.Graph().as_default():
            stranger = tf.constant(1.0)
        for fetch in (stranger, "nowhere", "here:1", ["here", "nowhere:0"], stranger.op):
            with pytest.raises(ValueError, match="cannot be interpreted as a Tensor"):
                session.run(fetch)

    def test_what_may_not_be_fetched(self, session):
        x = tf.constant(1.0)
        session.graph.prevent_fetching(x.op)
        with pytest.raises(ValueError, match="not fetchable"):
            session.run(x)

    def test_structures(self, session):
        a, b = tf.constant(1), tf.constant(2)
        found = session.run({"x": [a, (b, {"y": a.op})], "z": ()})
        assert found == {"x": [1, (2, {"y": None})], "z": ()}
        assert session.run([]) == []


class TestErrors:
    def test_the_error_names_node_op_and_line(self, session):
        x = tf.placeholder(tf.float32, [None])
        with tf.name_scope("layer"):
            y = tf.reshape(x, [7], name="shaped")
        with pytest.raises(tf.errors.InvalidArgumentError) as caught:
            session.run(y, {x: [1.0]})
        error = caught.value
        assert error.op is y.op and error.error_code == tf.errors.INVALID_ARGUMENT
        assert "[[node layer/shaped (defined at " in error.message and "test_session.py" in str(error)

    def test_inside_a_loop(self, session):
        n = tf.placeholder(tf.int32, [])

        def body(i, x):
            return i + 1, tf.reshape(x, [n], name="inner")
        with pytest.raises(tf.errors.InvalidArgumentError) as caught:
            session.run(
                tf.while_loop(
                    lambda i, x: i < 3,
                    body,
                    [0, tf.ones([2])],
                    shape_invariants=[tf.TensorShape([]), tf.TensorShape(None)],
                ),
                {n: 3},
            )
        assert caught.value.op.name.endswith("inner")

    @pytest.mark.parametrize("use_resource", [True, False])
    def test_uninitialised_variable(self, session, use_resource):
        v = tf.Variable(1.0, name="weights", use_resource=use_resource)
        for fetch in (v, v.read_value(), v + 1.0):
            with pytest.raises(tf.errors.FailedPreconditionError, match="weights"):
                session.run(fetch)

    def test_a_failed_run_leaves_the_session_usable(self, session):
        x = tf.placeholder(tf.float32, [None])
        y = tf.reshape(x, [2])
        for _ in range(3):
            with pytest.raises(tf.errors.InvalidArgumentError):
                session.run(y, {x: [1.0]})
            assert session.run(y, {x: [1.0, 2.0]}).tolist() == [1.0, 2.0]

    def test_no_kernel_for_the_device(self, session):
        with tf.device("/gpu:0"):
            x = tf.constant(1.0) + tf.placeholder_with_default(1.0, [])
        with pytest.raises(tf.errors.InvalidArgumentError, match="Cannot assign a device"):
            session.run(x)
        with tf.Session(config=tf.ConfigProto(allow_soft_placement=True)) as soft:
            assert soft.run(x) == 2.0


class TestLifetime:
    def test_closed(self):
        with tf.Graph().as_default():
            x = tf.constant(1.0)
            session = tf.Session()
            f = session.make_callable(x)
            session.run(x)
            session.close()
            session.close()
            for call in (
                lambda: session.run(x),
                f,
                lambda: session.partial_run_setup([x]),
            ):
                with pytest.raises(RuntimeError, match="closed Session"):
                    call()
            with pytest.raises(tf.errors.CancelledError, match="Session has been closed"):
                session.make_callable(x)

    def test_empty_graph(self):
        with tf.Graph().as_default(), tf.Session() as session, pytest.raises(RuntimeError, match="graph is empty"):
            session.run([])

    def test_finalised_graph(self, session):
        x = tf.constant(1.0)
        session.graph.finalize()
        assert session.run(x) == 1.0
        for build in (
            lambda: x + 1.0,
            lambda: tf.constant(1.0),
            lambda: tf.placeholder(tf.float32),
            lambda: session.graph.add_to_collection("a", 1),
        ):
            with pytest.raises(RuntimeError, match="finalized"):
                build()

    def test_resources_are_freed(self):
        with tf.Graph().as_default():
            v = tf.Variable(np.zeros(1000, np.float32))
            session = tf.Session()
            session.run(v.initializer)
            found = session.state.find("", "Variable", "variable") or next(iter(session.state._containers[""].values()))
            buffer = weakref.ref(found.value)
            del found
            session.close()
            del session
            gc.collect()
            assert buffer() is None

    def test_feeds_are_not_kept(self, session):
        x = tf.placeholder(tf.float32, [1000])
        y = tf.reduce_sum(x * 2.0)
        array = np.ones(1000, np.float32)
        reference = weakref.ref(array)
        session.run([y, tf.identity(x)], {x: array})
        del array
        gc.collect()
        assert reference() is None

    def test_interactive_session(self):
        with tf.Graph().as_default():
            session = tf.InteractiveSession()
            assert tf.constant(2.0).eval() == 2.0
            session.close()
            with pytest.raises(ValueError, match="No default session"):
                tf.constant(2.0).eval()


class TestCallable:
    def test_arguments(self, session):
        x, y = tf.placeholder(tf.float32, [2]), tf.placeholder(tf.float32, [])
        f = session.make_callable([x * y, {"sum": tf.reduce_sum(x)}], [x, y])
        product, rest = f([1.0, 2.0], 3.0)
        assert product.tolist() == [3.0, 6.0] and rest == {"sum": 3.0}
        with pytest.raises(tf.errors.InvalidArgumentError, match="You must feed"):
            f([1.0, 2.0])
        with pytest.raises(ValueError, match="Cannot feed"):
            f([1.0], 1.0)
        with pytest.raises(TypeError, match="list or tuple"):
            session.make_callable(x, x)


class TestThreads:
    def test_updates_are_not_lost(self, session):
        v = tf.Variable(np.zeros(64, np.int64), use_resource=True)
        w = tf.Variable(np.zeros(64, np.int64), use_resource=False)
        session.run(tf.global_variables_initializer())
        add = [v.assign_add(np.ones(64, np.int64)).op, w.assign_add(np.ones(64, np.int64), use_locking=True).op]

        def work():
            for _ in range(50):
                session.run(add)
        threads = [threading.Thread(target=work) for _ in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for total in session.run([v, w]):
            np.testing.assert_array_equal(total, np.full(64, 800))

    def test_plans_are_made_by_many_threads(self, session):
        x = tf.placeholder(tf.float32, [None])
        ys = [tf.reduce_sum(x * float(i)) for i in range(20)]
        failures = []

        def work():
            try:
                for i, y in enumerate(ys):
                    assert session.run(y, {x: [1.0, 2.0]}) == 3.0 * i
            except BaseException as error:
                failures.append(error)
        threads = [threading.Thread(target=work) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not failures

    def test_close_during_a_run(self):
        with tf.Graph().as_default():
            loop = tf.while_loop(lambda i: i >= 0, lambda i: tf.abs(i) % 1000 + 1, [0])
            session = tf.Session()
            raised = []

            def work():
                try:
                    session.run(loop)
                except Exception as error:
                    raised.append(error)
            thread = threading.Thread(target=work)
            thread.start()
            time.sleep(0.2)
            session.close()
            thread.join(10)
            assert not thread.is_alive() and isinstance(raised[0], tf.errors.CancelledError)


class TestOptions:
    def test_deadline(self, session):
        loop = tf.while_loop(lambda i: i >= 0, lambda i: tf.abs(i) % 1000 + 1, [0])
        began = time.monotonic()
        with pytest.raises(tf.errors.DeadlineExceededError):
            session.run(loop, options=tf.RunOptions(timeout_in_ms=100))
        assert time.monotonic() - began < 5
        with (
            tf.Session(config=tf.ConfigProto(operation_timeout_in_ms=100)) as limited,
            pytest.raises(tf.errors.DeadlineExceededError),
        ):
            limited.run(loop)

    def test_trace(self, session):
        x = tf.placeholder(tf.float32, [2])
        y = tf.sin(x, name="wave")
        metadata = tf.RunMetadata()
        session.run(
            y, {x: [1.0, 2.0]}, options=tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE), run_metadata=metadata
        )
        names = [stats.node_name for device in metadata.step_stats.dev_stats for stats in device.node_stats]
        assert "wave" in names
        session.run(y, {x: [1.0, 2.0]}, run_metadata=metadata)
        assert not metadata.step_stats.dev_stats

    @staticmethod
    def traced(session, fetches, feeds=None):
        metadata = tf.RunMetadata()
        options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
        values = session.run(fetches, feeds, options=options, run_metadata=metadata)
        return values, [stats for device in metadata.step_stats.dev_stats for stats in device.node_stats]

    def test_trace_of_every_node(self, session):
        x = tf.placeholder(tf.float32, [None, 3], name="x")
        w = tf.get_variable("w", [3, 2], initializer=tf.ones_initializer())
        y = tf.nn.relu(tf.matmul(x, w, name="product") + 1.0, name="y")
        step = tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(tf.square(y, name="square")), name="train")
        session.run(tf.global_variables_initializer())
        (value, _), stats = self.traced(session, [y, step], {x: [[1.0, 2.0, 3.0]]})
        assert value.tolist() == [[7.0, 7.0]]
        names = [entry.node_name for entry in stats]
        assert {"w", "product", "y", "gradients/y_grad/ReluGrad", "train/update_w/ApplyGradientDescent"} <= set(names)
        assert "y = Relu(add)" in {entry.timeline_label for entry in stats}
        assert all(entry.all_end_rel_nanos >= 0 and entry.all_start_micros > 0 for entry in stats)

    def test_trace_of_sizes(self, session):
        x = tf.placeholder(tf.float32, [2, 2])
        y = tf.tanh(tf.matmul(tf.exp(x), x, name="product") + 1.0, name="y")
        _, stats = self.traced(session, y, {x: [[1.0, 2.0], [3.0, 4.0]]})
        outputs = {entry.node_name: [o.tensor_description for o in entry.output] for entry in stats}
        for name in ("product", "y"):
            assert [dim.size for dim in outputs[name][0].shape.dim] == [2, 2]
            assert outputs[name][0].dtype == tf.float32.as_datatype_enum

    def test_trace_of_a_loop(self, session):
        _, stats = self.traced(session, tf.while_loop(lambda i: i < 3, lambda i: tf.add(i, 2, name="more"), [0]))
        assert {"while/Less", "while/more"} <= {entry.node_name for entry in stats}


@pytest.mark.parametrize("arguments", [("nonsense://x",), (3,), ("", 3), ("", None, 3)])
def test_bad_sessions(arguments):
    with pytest.raises((TypeError, tf.errors.NotFoundError)):
        tf.Session(*arguments)


def test_sessions_leave_nothing_behind():
    def use():
        with tf.Graph().as_default(), tf.Session() as session:
            v = tf.Variable(np.ones(10, np.float32))
            x = tf.placeholder(tf.float32, [10])
            session.run(v.initializer)
            session.run(v.assign_add(x), {x: np.ones(10)})
            session.make_callable(v * x, [x])(np.ones(10))
    for _ in range(3):
        use()
    gc.collect()
    before = len(gc.get_objects())
    for _ in range(20):
        use()
    gc.collect()
    assert len(gc.get_objects()) - before < 200


def test_a_function_may_run_the_session_it_runs_in(session):
    v = tf.Variable(2.0, use_resource=True)
    session.run(v.initializer)
    y = tf.py_func(lambda: np.float32(session.run(v) * 3.0), [], tf.float32)
    assert session.run(y + v) == 8.0


def test_placeholder_not_fed_names_the_type_as_signatures_do():
    x = tf.placeholder(tf.float32, [2], name="x")
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError, match="dtype float and shape"):
        session.run(x + 1.0)


def test_text_of_an_operation_is_sorted():
    text = str(tf.constant(1.0).op)
    assert text.index('"dtype"') < text.index('"value"')


@pytest.mark.parametrize("soft", [False, True])
@pytest.mark.parametrize("device", ["/job:ps/task:0", "/replica:1", "/task:3/cpu:0"])
def test_a_session_has_no_devices_of_other_tasks(device, soft):
    with tf.Graph().as_default(), tf.device(device):
        y = tf.constant(1.0)
    with tf.Session(graph=y.graph, config=tf.ConfigProto(allow_soft_placement=soft)) as session:
        with pytest.raises(tf.errors.InvalidArgumentError, match="Cannot assign a device for operation Const"):
            session.run(y)


def test_a_session_has_the_devices_of_its_own_task():
    with tf.Graph().as_default(), tf.device("/job:localhost/replica:0/task:0/cpu:0"):
        y = tf.constant(1.0)
    with tf.Session(graph=y.graph) as session:
        assert session.run(y) == 1.0


def test_elements_of_strings_are_looked_at_after_all_other_feeds():
    text, number = tf.placeholder(tf.string), tf.placeholder(tf.float32, [3])
    with tf.Session() as session:
        with pytest.raises(ValueError, match="Cannot feed value of shape"):
            session.run([text, number], {text: np.array([1]), number: 2.5})
        with pytest.raises(tf.errors.InternalError, match="Unsupported object type int"):
            session.run([tf.identity(text), number], {text: np.array([1]), number: [1, 2, 3]})


def test_a_dict_with_a_default_is_fetched_as_one():
    import collections

    fetches = collections.defaultdict(list, a=tf.constant(1.0))
    with tf.Session() as session:
        found = session.run(fetches)
    assert type(found) is collections.defaultdict and found == {"a": 1.0}
