"""In which order a run does what edges order, and what they do not."""

import numpy as np
import pytest

import ossia as tf


def test_control_edges_hold_through_nodes_that_compute_nothing_used():
    with tf.Graph().as_default(), tf.Session() as session:
        v = tf.get_variable("v", initializer=[0.0, 0.0])
        x = tf.placeholder(tf.float32, [2])
        session.run(v.initializer)
        with tf.control_dependencies([tf.assign_add(v, [1.0, 1.0])]):
            between = tf.identity(x)
        with tf.control_dependencies([between]):
            after = tf.identity(x)
        with tf.control_dependencies([after]):
            value = v.read_value() + 0.0
        for count in (1, 2, 3):
            assert session.run(value, {x: [0, 0]}).tolist() == [count, count]


@pytest.mark.parametrize("resource", [False, True])
@pytest.mark.parametrize(
    "update",
    [
        lambda v: tf.assign_add(v, v * 3.0),
        lambda v: tf.scatter_add(v, [0], [3.0]),
        lambda v: tf.train.GradientDescentOptimizer(1.0).minimize(tf.reduce_sum(v * v)),
        lambda v: tf.train.AdamOptimizer(1.0).minimize(tf.reduce_sum(tf.gather(v, [0]))),
    ],
    ids=["assign_add", "scatter", "dense", "sparse"],
)
def test_variables_are_read_before_they_are_updated(update, resource):
    with tf.Graph().as_default(), tf.Session() as session:
        v = tf.get_variable("v", initializer=[1.0, 1.0], use_resource=resource)
        step = update(v)
        made_later = tf.exp(v) * 2.0
        with tf.control_dependencies([step]):
            ordered = v.read_value() + 0.0
        session.run(tf.global_variables_initializer())
        _, value, new = session.run([step, made_later, ordered])
        np.testing.assert_allclose(value, np.exp([1.0, 1.0]) * 2, rtol=1e-6)
        assert (new != [1.0, 1.0]).any() and (session.run(v) == new).all()


@pytest.mark.parametrize("resource", [False, True])
@pytest.mark.parametrize("assign_first", [False, True])
def test_assignments_come_where_the_program_made_them(resource, assign_first):
    with tf.Graph().as_default(), tf.Session() as session:
        v = tf.get_variable("v", initializer=[1.0, 1.0], use_resource=resource)
        if assign_first:
            step, value = tf.assign(v, [2.0, 2.0]), tf.exp(v)
        else:
            value, step = tf.exp(v), tf.assign(v, [2.0, 2.0])
        session.run(tf.global_variables_initializer())
        np.testing.assert_allclose(
            session.run([step, value])[1], np.exp([2.0, 2.0] if assign_first else [1.0, 1.0]), rtol=1e-6
        )


def test_the_global_step_is_read_before_it_is_increased():
    for use_loop in (False, True):
        with tf.Graph().as_default(), tf.Session() as session:
            step = tf.get_variable("step", dtype=tf.int64, initializer=lambda: tf.zeros([], tf.int64))
            advance = tf.assign_add(step, 1)
            if use_loop:
                with tf.control_dependencies([tf.while_loop(lambda i: i < 3, lambda i: i + 1, [0])]):
                    advance = tf.group(tf.assign_add(step, 1))
            read = step.initialized_value() + 0
            session.run(step.initializer)
            assert [int(session.run([advance, read])[1]) for _ in range(3)] == [0, 1, 2]
            assert session.run([advance, step])[1] == 4


@pytest.mark.parametrize("backend", ["numpy", None])
def test_critical_sections_of_one_run_see_each_other(backend, monkeypatch):
    if backend:
        monkeypatch.setenv("OSSIA_BACKEND", backend)
    with tf.Graph().as_default():
        section = tf.CriticalSection(name="section")
        count = tf.get_variable("count", initializer=0.0, use_resource=True)

        def read_and_add(amount):
            before = count.read_value()
            with tf.control_dependencies([before]):
                added = count.assign_add(amount, read_value=False)
            with tf.control_dependencies([added]):
                return tf.identity(before)

        found = [section.execute(lambda: read_and_add(2.0)) for _ in range(3)]
        on_others = section.execute(lambda: read_and_add(found[2]))
        loop = tf.while_loop(
            lambda i: i < 3, lambda i: section.execute(lambda: read_and_add(1.0)) * 0.0 + i + 1.0, [on_others * 0.0]
        )
        with tf.Session() as session:
            session.run(count.initializer)
            assert session.run(found) == [0.0, 2.0, 4.0]
            assert session.run([on_others, *found]) == [12.0, 6.0, 8.0, 10.0] and session.run(count) == 22.0
            session.run(loop)
            assert session.run(count) == 22.0 + 2.0 + 22.0 + 3.0
