"""Critical sections: graphs and refusals as in TensorFlow 1.15, threads that wait, and errors that free them."""
import threading

import numpy as np
import pytest

import ossia as tf
from ossia_testkit.golden import golden_tests

test_critical_sections = golden_tests(__file__, "critical_section_cases.py")


def test_critical_section_between_threads():
    with tf.Graph().as_default(), tf.Session() as session:
        v = tf.get_variable("v", initializer=0, use_resource=True)
        section = tf.CriticalSection()

        def increment():
            before = v.read_value()
            with tf.control_dependencies([before]):
                slow = tf.py_func(_slowly, [before], tf.int32)
            slow.set_shape([])
            return v.assign(slow + 1)
        step = section.execute(increment)
        session.run(v.initializer)
        run_step = session.make_callable(step)
        run_step()
        threads = [threading.Thread(target=run_step) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert session.run(v) == 9


def _slowly(value):
    threading.Event().wait(0.01)
    return value


def test_critical_section_is_free_after_an_error():
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [])
        step = tf.CriticalSection().execute(lambda: tf.check_numerics(x, "bad"))
        with pytest.raises(tf.errors.InvalidArgumentError):
            session.run(step, {x: np.nan})
        assert session.run(step, {x: 2.0}) == 2
