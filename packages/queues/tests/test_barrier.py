"""Barriers."""

import numpy as np
import pytest

import ossia as tf
from ossia_queues.barrier import Barrier

FIRST = np.iinfo(np.int64).min


@pytest.fixture
def made():
    with tf.Graph().as_default(), tf.Session() as session:
        barrier = Barrier([tf.float32, tf.string], shapes=[[], [2]], shared_name="B")
        keys, x, y = tf.placeholder(tf.string), tf.placeholder(tf.float32), tf.placeholder(tf.string)
        put_x, put_y = barrier.insert_many(0, keys, x), barrier.insert_many(1, keys, y)

        def insert(component, names, values):
            session.run((put_x, put_y)[component], {keys: names, (x, y)[component]: values})

        yield session, barrier, insert


def test_elements_leave_when_they_are_complete(made):
    session, barrier, insert = made
    sizes = [barrier.ready_size(), barrier.incomplete_size()]
    insert(0, ["a", "b", "c"], [1, 2, 3])
    assert session.run(sizes) == [0, 3]
    insert(1, ["c", "a"], [["c1", "c2"], ["a1", "a2"]])
    assert session.run(sizes) == [2, 1]
    taken = session.run(barrier.take_many(2))
    assert taken.indices.tolist() == [FIRST, FIRST] and taken.keys.tolist() == [b"c", b"a"]
    assert taken.values[0].tolist() == [3, 1] and taken.values[1].tolist() == [[b"c1", b"c2"], [b"a1", b"a2"]]
    assert session.run(sizes) == [0, 1]


def test_what_is_refused_changes_nothing(made):
    session, barrier, insert = made
    insert(0, ["b"], [1])
    for component, names, values, match in [
        (0, ["b"], [5], "Key b already has a value for component 0 in barrier B"),
        (0, ["x", "y"], [5], "2 keys"),
    ]:
        with pytest.raises(tf.errors.InvalidArgumentError, match=match):
            insert(component, names, values)
    assert session.run([barrier.ready_size(), barrier.incomplete_size()]) == [0, 1]
    insert(1, ["b"], [["q", "r"]])
    assert session.run(barrier.take_many(1)).keys.tolist() == [b"b"]


def test_an_element_with_a_wrong_shape_is_lost_once_it_is_complete(made):
    session, barrier, insert = made
    insert(1, ["a", "b"], [["q"], ["r"]])
    with pytest.raises(
        tf.errors.InvalidArgumentError, match=r"Shape mismatch in tuple component 3. Expected \[2\], got \[1\]"
    ):
        insert(0, ["a", "b"], [1, 2])
    assert session.run([barrier.ready_size(), barrier.incomplete_size()]) == [0, 1]


def test_close(made):
    session, barrier, insert = made
    insert(0, ["a", "b"], [1, 2])
    session.run(barrier.close())
    with pytest.raises(tf.errors.CancelledError, match="attempted to insert a brand new key: new"):
        insert(0, ["new"], [1])
    insert(1, ["a", "b"], [["1", "2"], ["3", "4"]])  # what was begun can be completed
    with pytest.raises(tf.errors.CancelledError, match="Barrier B is closed."):
        insert(0, ["a"], [1])
    with pytest.raises(tf.errors.OutOfRangeError, match="requested 3, current size 2"):
        session.run(barrier.take_many(3))
    assert session.run(barrier.take_many(3, allow_small_batch=True)).keys.tolist() == [b"a", b"b"]


def test_close_with_cancellation(made):
    session, barrier, insert = made
    insert(0, ["a"], [1])
    session.run(barrier.close(cancel_pending_enqueues=True))
    with pytest.raises(tf.errors.CancelledError, match="Pending enqueues cancelled: 1"):
        insert(1, ["a"], [["1", "2"]])
    assert session.run(barrier.incomplete_size()) == 0


def test_shared_barriers_are_of_one_kind(made):
    session, barrier, _ = made
    session.run(barrier.ready_size())
    others = ([tf.int32, tf.string], [[], [2]], "types"), ([tf.float32, tf.string], [[], [3]], "shapes")
    for types, shapes, what in others:
        other = Barrier(types, shapes=shapes, shared_name="B")
        with pytest.raises(tf.errors.InvalidArgumentError, match=f"Shared barrier 'B' has component {what}"):
            session.run(other.ready_size())


@pytest.mark.parametrize(
    ("batches", "indices", "names", "sizes"),
    [
        ([(0, "a"), (1, "a"), (0, "b"), (1, "b"), (0, "c"), (1, "c")], [0, 1, 2], "abc", [0, 0]),
        ([(0, "a"), (1, "ab"), (0, "c"), (0, "b"), (1, "c")], [0, 1, 2], "abc", [0, 0]),
        ([(0, "a"), (0, "zz"), (1, "a"), (0, "q"), (1, "qz")], [0, 1], "aq", [1, 0]),
        ([(0, "ab"), (0, "cad"), (1, "abcd")], [0, 0], "ab", [1, 1]),
    ],
    ids=["one after another", "new beside old", "twice in a batch", "old in a batch"],
)
def test_batches_with_new_keys_are_counted(batches, indices, names, sizes):
    """A batch that is refused has inserted what comes before the key that it is refused for."""
    with tf.Graph().as_default(), tf.Session() as session:
        barrier = Barrier([tf.float32, tf.float32], shapes=[[], []])
        for component, keys in batches:
            put = barrier.insert_many(component, list(keys), [1.0] * len(keys))
            if (component, keys) in [(0, "zz"), (0, "cad")]:
                with pytest.raises(tf.errors.InvalidArgumentError, match="already has a value for component 0"):
                    session.run(put)
            else:
                session.run(put)
        taken = session.run(barrier.take_many(len(names)))
        assert [int(index) - FIRST for index in taken.indices] == indices
        assert b"".join(taken.keys).decode() == names
        assert session.run([barrier.ready_size(), barrier.incomplete_size()]) == sizes


def test_without_shapes_components_are_scalars():
    barrier = Barrier((tf.float32, tf.float32))
    assert [shape.unknown_rank for shape in barrier.barrier_ref.op.node_def.attr["shapes"].list.shape] == [True, True]
    pairs = Barrier(tf.float32)
    with tf.Session() as session:
        session.run(barrier.insert_many(0, ["a", "b"], [1.0, 2.0]))
        session.run(barrier.insert_many(1, ["b"], [3.0]))
        assert session.run([barrier.ready_size(), barrier.incomplete_size()]) == [1, 1]
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"tuple component 2. Expected \[\], got \[2\]"):
            session.run(pairs.insert_many(0, ["a"], [[1.0, 2.0]]))


def test_empty_components_are_refused():
    barrier = Barrier((tf.float32, tf.float32), name="B")
    with tf.Session() as session:
        empty = barrier.insert_many(0, tf.constant([], tf.string), tf.constant([], tf.float32))
        session.run(empty)
        session.run(barrier.close())
        session.run(empty)
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"no elements are not .*B: .* shape \[3,0\]"):
            session.run(barrier.insert_many(0, ["a", "b", "c"], np.zeros((3, 0), np.float32)))


def test_shapes_of_a_shared_barrier():
    plain, other = (Barrier((tf.float32, tf.float32), shapes, "shared") for shapes in (None, ((2, 2), (8,))))
    with tf.Session() as session:
        session.run(plain.ready_size())
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"\[\[\], \[\]\] but .* \[\[2,2\], \[8\]\]"):
            session.run(other.ready_size())
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"Shape \[\?\] is not fully defined"):
            partial = tf.raw_ops.Barrier(component_types=["float"], shapes=[[None]])
            session.run(tf.raw_ops.BarrierReadySize(handle=partial))
