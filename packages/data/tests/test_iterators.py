"""Iterators of all kinds: what starts them, what they give, what they refuse; and the nodes that they are."""
import concurrent.futures

import numpy as np
import pytest

import ossia as tf

D = tf.data.Dataset


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


def test_one_shot_until_the_end():
    following = D.from_tensor_slices(np.arange(5.0)).map(lambda x: x + 1).batch(2).make_one_shot_iterator().get_next()
    assert following.dtype == tf.float64 and following.shape.as_list() == [None]
    with tf.Session() as session:
        assert [session.run(following).tolist() for _ in range(3)] == [[1, 2], [3, 4], [5]]
        for _ in range(2):
            with pytest.raises(tf.errors.OutOfRangeError, match="End of sequence"):
                session.run(following)


def test_one_shot_takes_constants_and_refuses_placeholders_and_variables():
    by = tf.constant(3, tf.int64)
    following = D.range(2).map(lambda x: x * by).make_one_shot_iterator().get_next()
    fed = tf.placeholder(tf.int64, [])
    with pytest.raises(ValueError, match="placeholder"):
        D.range(fed).make_one_shot_iterator()
    number = tf.get_variable("number", initializer=3, use_resource=True)
    with pytest.raises(ValueError, match="stateful node"):
        D.from_tensor_slices([1, 2]).map(lambda x: x + number).make_one_shot_iterator()
    with tf.Session() as session:
        assert [session.run(following) for _ in range(2)] == [0, 3]


def test_initializable_with_feeds():
    stop = tf.placeholder(tf.int64, [])
    iterator = D.range(stop).make_initializable_iterator()
    following = iterator.get_next()
    with tf.Session() as session:
        with pytest.raises(tf.errors.FailedPreconditionError, match="has not been initialized"):
            session.run(following)
        for count in (2, 1):
            session.run(iterator.initializer, {stop: count})
            assert [session.run(following) for _ in range(count)] == list(range(count))
            with pytest.raises(tf.errors.OutOfRangeError):
                session.run(following)


def test_reinitializable():
    iterator = tf.data.Iterator.from_structure(tf.int64, [])
    following = iterator.get_next()
    first, second = (iterator.make_initializer(dataset) for dataset in (D.range(3), D.range(100, 103)))
    with pytest.raises(ValueError, match="initializer"):
        _ = iterator.initializer
    with pytest.raises(TypeError, match="output types"):
        iterator.make_initializer(D.from_tensors(1.0))
    with pytest.raises(TypeError, match="output shapes"):
        iterator.make_initializer(D.range(3).batch(2))
    with tf.Session() as session:
        session.run(first)
        assert session.run(following) == 0
        session.run(second)
        assert [session.run(following) for _ in range(3)] == [100, 101, 102]


def test_feedable():
    handle = tf.placeholder(tf.string, [])
    fed = tf.data.Iterator.from_string_handle(handle, tf.int64, []).get_next()
    once, again = D.range(3).make_one_shot_iterator(), D.range(50, 60).make_initializable_iterator()
    with tf.Session() as session:
        session.run(again.initializer)
        handles = session.run([once.string_handle(), again.string_handle()])
        assert [session.run(fed, {handle: handles[i % 2]}) for i in range(4)] == [0, 50, 1, 51]
        with pytest.raises(tf.errors.InvalidArgumentError):
            session.run(fed, {handle: "none"})


def test_one_run_takes_one_element_of_a_node():
    iterator = D.range(9).make_one_shot_iterator()
    a, b = iterator.get_next(), iterator.get_next()
    with tf.Session() as session:
        assert session.run([a, a]) == [0, 0]
        assert sorted(session.run([a, b])) == [1, 2]
    with tf.Session() as session:
        assert session.run(a) == 0


def test_threads_share_an_iterator():
    following = D.range(400).map(lambda x: x + 1).make_one_shot_iterator().get_next()
    found = []
    with tf.Session() as session, concurrent.futures.ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: session.run(following), range(400)))
    assert sorted(found) == list(range(1, 401))


def test_training_on_batches():
    x, y = D.from_tensor_slices((np.eye(4, dtype=np.float32), np.arange(4.0, dtype=np.float32))).repeat(50).batch(
        4).make_one_shot_iterator().get_next()
    weights = tf.get_variable("weights", [4, 1], initializer=tf.zeros_initializer())
    loss = tf.reduce_sum((tf.squeeze(x @ weights, 1) - y) ** 2)
    gradient = tf.gradients(loss, [weights])[0]
    train = tf.assign_sub(weights, 0.3 * gradient)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        with pytest.raises(tf.errors.OutOfRangeError):
            while True:
                session.run(train)
        assert np.allclose(session.run(weights)[:, 0], np.arange(4), atol=1e-4)


def test_nodes_and_functions(graph):
    D.from_tensor_slices(np.arange(3)).map(lambda x: x * 2).shuffle(5, seed=3).repeat(2).batch(3).prefetch(
        1).make_initializable_iterator().get_next()
    assert [node.type for node in graph.get_operations() if node.type not in ("Const", "Equal", "LogicalAnd")] == [
        "TensorSliceDataset", "MapDataset", "Select", "ShuffleDataset", "RepeatDataset", "BatchDatasetV2",
        "PrefetchDataset", "OptimizeDataset", "ModelDataset", "IteratorV2", "MakeIterator", "IteratorToStringHandle",
        "IteratorGetNext",
    ]
    (function,) = graph.as_graph_def().library.function
    assert function.signature.name.startswith("__inference_Dataset_map_<lambda>_")
    assert [(node.name, node.op) for node in function.node_def] == [
        ("mul/y", "Const"), ("mul", "Mul"), ("Identity", "Identity")
    ]


@pytest.mark.parametrize("one_shot", [True, False])
def test_through_a_graph_def(graph, one_shot):
    dataset = D.range(6).map(lambda x: x * x).filter(lambda x: x > 1).batch(2)
    made = dataset.make_one_shot_iterator() if one_shot else dataset.make_initializable_iterator()
    names = [made.get_next().name, None if one_shot else made.initializer.name]
    definition = graph.as_graph_def()
    with tf.Graph().as_default():
        tf.import_graph_def(definition, name="")
        with tf.Session() as session:
            if not one_shot:
                session.run(names[1])
            assert [session.run(names[0]).tolist() for _ in range(2)] == [[4, 9], [16, 25]]


def test_reduce_and_single_elements():
    total = D.range(5).reduce(np.int64(0), lambda a, b: a + b)
    both = D.range(5).reduce((0.0, 0), lambda state, _: (state[0] + 1.0, state[1] + 2))
    one = tf.data.experimental.get_single_element(D.range(5).batch(5))
    some, none = (tf.data.experimental.get_single_element(D.range(n)) for n in (2, 0))
    with tf.Session() as session:
        assert session.run(total) == 10
        assert session.run(both) == (5.0, 10)
        assert session.run(one).tolist() == [0, 1, 2, 3, 4]
        for bad in (some, none):
            with pytest.raises(tf.errors.InvalidArgumentError):
                session.run(bad)


def test_next_as_optional():
    found = tf.data.experimental.get_next_as_optional(D.range(1).make_one_shot_iterator())
    there = found.has_value()
    with tf.Session() as session:
        assert [session.run(there) for _ in range(2)] == [True, False]


def test_options():
    options = tf.data.Options()
    options.experimental_optimization.shuffle_and_repeat_fusion = False
    dataset = D.range(6).with_options(options)
    assert dataset.options().optimizations() == ["map_and_batch_fusion", "noop_elimination"]
    with pytest.raises(AttributeError, match="unheard"):
        options.unheard = 1


def test_files_listed(tmp_path):
    for name in "cab":
        (tmp_path / f"{name}.txt").write_text(name)
    names = D.list_files(str(tmp_path / "*.txt"), shuffle=False)
    lines = names.flat_map(tf.data.TextLineDataset).make_initializable_iterator()
    missing = D.list_files(str(tmp_path / "*.none")).make_initializable_iterator()
    following = lines.get_next()
    with tf.Session() as session:
        session.run(lines.initializer)
        assert [session.run(following) for _ in range(3)] == [b"a", b"b", b"c"]
        with pytest.raises(tf.errors.InvalidArgumentError, match="No files matched"):
            session.run(missing.initializer)


def test_errors_name_themselves():
    with pytest.raises(TypeError, match="datasets"):
        D.zip([D.range(2)])
    with pytest.raises(TypeError, match="different types"):
        D.range(2).concatenate(D.from_tensors(1.0))
    with pytest.raises(ValueError, match="scalar boolean"):
        D.range(2).filter(lambda x: x)
    with pytest.raises(TypeError, match="Dataset"):
        D.range(2).flat_map(lambda x: x)
