"""Many threads on one queue: nothing is lost, nothing comes twice, and everything ends."""

import random
import sys
import threading

import pytest

import ossia as tf

THREADS, EACH = 8, 60


@pytest.fixture
def impatient_switches():
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", ["fifo", "shuffle", "padding", "priority"])
def test_each_element_comes_once(kind, seed, impatient_switches):
    chance = random.Random(f"{kind}{seed}")
    with tf.Graph().as_default():
        capacity = chance.choice([1, 3, 20])
        queue = {
            "fifo": lambda: tf.FIFOQueue(capacity, tf.int64, shapes=[[]]),
            "shuffle": lambda: tf.RandomShuffleQueue(capacity, min(2, capacity - 1), tf.int64, shapes=[[]]),
            "padding": lambda: tf.PaddingFIFOQueue(capacity, tf.int64, shapes=[[]]),
            "priority": lambda: tf.PriorityQueue(capacity, tf.int64, shapes=[[]]),
        }[kind]()
        x, many = tf.placeholder(tf.int64, []), tf.placeholder(tf.int64, [None])
        width = len(queue.dtypes)
        put, put_many, close = queue.enqueue([x] * width), queue.enqueue_many([many] * width), queue.close()
        take, take_some = queue.dequeue(), queue.dequeue_up_to(3)
        if width > 1:
            take, take_some = take[0], take_some[0]
        with tf.Session() as session:
            taken, errors, lock = [], [], threading.Lock()

            def produce(base):
                at = base
                while at < base + EACH:
                    count = min(random.Random(at).choice([1, 1, 4]), base + EACH - at)
                    session.run(put, {x: at}) if count == 1 else session.run(put_many, {many: range(at, at + count)})
                    at += count

            def consume(own):
                try:
                    while True:
                        values = session.run(take_some).tolist() if own % 2 else [session.run(take)]
                        with lock:
                            taken.append([int(value) for value in values])
                except tf.errors.OutOfRangeError:
                    pass
                except Exception as error:
                    errors.append(error)

            producers = [threading.Thread(target=produce, args=(i * EACH,), daemon=True) for i in range(THREADS)]
            consumers = [threading.Thread(target=consume, args=(i,), daemon=True) for i in range(THREADS)]
            for thread in producers + consumers:
                thread.start()
            for thread in producers:
                thread.join(20)
            session.run(close)
            for thread in consumers:
                thread.join(20)
            assert not any(thread.is_alive() for thread in producers + consumers)
            assert not errors
    assert sorted(value for values in taken for value in values) == list(range(THREADS * EACH))


@pytest.mark.parametrize("seed", range(3))
def test_a_close_at_any_moment_ends_everything(seed, impatient_switches):
    chance = random.Random(seed)
    with tf.Graph().as_default(), tf.Session() as session:
        queue = tf.FIFOQueue(2, tf.int64, shapes=[[]])
        put, take, close = queue.enqueue_many([list(range(5))]), queue.dequeue_many(3), queue.close(True)
        failed = []

        def loop(op):
            try:
                while True:
                    session.run(op)
            except (tf.errors.OutOfRangeError, tf.errors.CancelledError):
                pass
            except Exception as error:
                failed.append(error)

        threads = [threading.Thread(target=loop, args=(op,), daemon=True) for op in [put, take] * THREADS]
        for thread in threads:
            thread.start()
        threading.Event().wait(chance.uniform(0.0, 0.1))
        session.run(close)
        for thread in threads:
            thread.join(20)
        assert not any(thread.is_alive() for thread in threads) and not failed
