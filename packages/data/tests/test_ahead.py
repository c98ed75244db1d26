"""Elements made ahead by threads: their order, their errors, and that no thread is left."""
import threading
import time

import numpy as np
import pytest

import ossia as tf

D = tf.data.Dataset


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


def slowly(value):
    """What takes long enough to be made ahead, and fails for 7."""
    time.sleep(0.001)
    if value == 7:
        raise ValueError("seven")
    return value * 2


def slow(x):
    found = tf.py_func(slowly, [x], tf.int64)
    found.set_shape([])
    return found


def threads():
    return [thread for thread in threading.enumerate() if thread.name.startswith("ossia-data")]


PIPELINES = {
    "prefetch": lambda d: d.map(slow).prefetch(3),
    "tuned": lambda d: d.map(slow).prefetch(tf.data.experimental.AUTOTUNE),
    "parallel map": lambda d: d.map(slow, num_parallel_calls=4),
    "both": lambda d: d.map(slow, num_parallel_calls=4).prefetch(3),
    "parallel interleave": lambda d: D.range(1).interleave(lambda _: d.map(slow), 1, num_parallel_calls=2),
}


@pytest.mark.parametrize("name", PIPELINES)
def test_order_errors_and_threads(name):
    following = PIPELINES[name](D.range(40)).make_one_shot_iterator().get_next()
    found, most = [], 0
    with tf.Session() as session:
        while True:
            try:
                found.append(int(session.run(following)))
            except tf.errors.OutOfRangeError:
                break
            except tf.errors.OpError:
                found.append("error")
            most = max(most, len(threads()))
        with pytest.raises(tf.errors.OutOfRangeError):
            session.run(following)
    assert found == [*range(0, 14, 2), "error", *range(16, 80, 2)]
    assert most and not threads()


@pytest.mark.parametrize("name", PIPELINES)
def test_a_session_closed_in_the_middle_leaves_no_thread(name):
    following = PIPELINES[name](D.range(100, 10**6)).make_one_shot_iterator().get_next()
    for _ in range(3):
        with tf.Session() as session:
            assert [int(session.run(following)) for _ in range(8)] == list(range(200, 216, 2))
            assert threads()
        assert not threads()


def test_starting_anew_ends_what_was_under_way():
    iterator = D.range(100, 10**6).map(slow).prefetch(2).make_initializable_iterator()
    following = iterator.get_next()
    with tf.Session() as session:
        for _ in range(3):
            session.run(iterator.initializer)
            assert [int(session.run(following)) for _ in range(8)] == list(range(200, 216, 2))
            assert len(threads()) == 1


def test_who_waits_is_woken_when_the_session_is_closed():
    begun, go_on = threading.Event(), threading.Event()

    def elements():
        for i in range(10):
            time.sleep(0.001)
            yield i
        begun.set()
        go_on.wait(20)
        yield 10

    following = D.from_generator(elements, tf.int64, []).prefetch(1).make_one_shot_iterator().get_next()
    session = tf.Session()
    found = []

    def take():
        try:
            while True:
                found.append(session.run(following))
        except tf.errors.OpError as error:
            found.append(type(error))

    reader = threading.Thread(target=take)
    reader.start()
    assert begun.wait(20)
    threading.Timer(0.2, go_on.set).start()
    session.close()
    reader.join(20)
    assert not reader.is_alive() and found[-1] is tf.errors.CancelledError


def test_fast_elements_need_no_thread():
    dataset = D.range(200).map(lambda x: x + 1, num_parallel_calls=4).prefetch(4)
    following = dataset.make_one_shot_iterator().get_next()
    with tf.Session() as session:
        assert [int(session.run(following)) for _ in range(200)] == list(range(1, 201))


def test_functions_before_a_batch_are_called_on_batches_where_that_is_the_same(monkeypatch):
    from ossia_data.elements import Body

    calls = []
    instance = Body.instance

    def counted(body, *first):
        call = instance(body, *first)
        return lambda values: calls.append(1) or call(values)

    monkeypatch.setattr(Body, "instance", counted)
    cases = {
        "alike": (lambda d: d.map(lambda x: tf.exp(x) * 2.0 + x), 4),
        "with a vector of its size": (lambda d: d.map(lambda x: x + [1.0, 2.0]), 4),
        "of a higher rank": (lambda d: d.map(lambda x: x + [[1.0, 2.0]]), 10),
        "sums": (lambda d: d.map(lambda x: tf.reduce_sum(x)), 10),
        "constants": (lambda d: d.map(lambda x: (x, 3.0)), 10),
    }
    data = np.arange(20.0, dtype=np.float32).reshape(10, 2)
    for name, (make, expected) in cases.items():
        following = make(D.from_tensor_slices(data)).batch(3).make_one_shot_iterator().get_next()
        with tf.Session() as session:
            calls.clear()
            with pytest.raises(tf.errors.OutOfRangeError):
                while True:
                    session.run(following)
            assert len(calls) - 1 == expected, name  # one call makes the dataset
