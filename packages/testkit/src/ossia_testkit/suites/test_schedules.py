"""Learning-rate schedules: values against their formula, at all kinds of steps.

The keys of a sample: `arguments`, those after the learning rate and the global step; `learning_rate`, 0.5 if it is left
out; `formula`, a function `(learning_rate, step, **arguments)` of Python numbers; `step`, the name of the argument for
the global step, `"global_step"` if it is left out (one with another name has no learning rate); `dtypes`, names of the
dtypes of learning rates, float32 and float64 if they are left out.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ossia_testkit.registered import Row

STEPS = (0, 1, 3, 7, 10, 11, 99, 100, 101, 12345)


def build(row: Row, step: Any, rate: Any = None, **more: Any) -> Any:
    """The tensor of a sample's schedule."""
    arguments = {**row.sample.get("arguments", {}), **more}
    if row.sample.get("step", "global_step") != "global_step":
        return row.load()(step, **arguments)
    return row.load()(row.sample.get("learning_rate", 0.5) if rate is None else rate, step, **arguments)


def expected(row: Row, step: int) -> float:
    """The value by the formula."""
    return row.sample["formula"](row.sample.get("learning_rate", 0.5), step, **row.sample.get("arguments", {}))


class TestSchedules:
    """The checks."""

    kind = "schedule"
    packages: tuple[str, ...] = ()

    def test_is_served(self, row):
        """Programs find it as `tf.train.<name>`."""
        import ossia as tf

        assert getattr(tf.train, row.name) is row.load()

    @pytest.mark.parametrize("dtype", ["int32", "int64"])
    def test_formula(self, row, dtype):
        """A scalar of the learning rate's dtype, by the formula at each step, in any order of steps."""
        import ossia as tf

        with tf.Graph().as_default(), tf.Session() as session:
            step = tf.placeholder(dtype, [])
            rate = build(row, step)
            assert rate.shape.is_fully_defined() and rate.shape.ndims == 0, f"its static shape is {rate.shape}"
            assert rate.dtype == tf.float32, f"it is of {rate.dtype.name}"
            assert not tf.global_variables(), "it has a state"
            values = {n: session.run(rate, {step: n}) for n in (*STEPS, *reversed(STEPS))}
        if "formula" in row.sample:
            for n, value in values.items():
                assert value == pytest.approx(expected(row, n), rel=1e-4, abs=1e-6), f"at step {n}"
        assert all(np.isfinite(value) for value in values.values())

    def test_double(self, row):
        """A learning rate in double precision gives a rate in double precision."""
        import ossia as tf

        if "step" in row.sample or "float64" not in row.sample.get("dtypes", ["float64"]):
            return
        with tf.Graph().as_default(), tf.Session() as session:
            rate = build(row, tf.constant(7), tf.constant(row.sample.get("learning_rate", 0.5), tf.float64))
            assert rate.dtype == tf.float64
            if "formula" in row.sample:
                assert session.run(rate) == pytest.approx(expected(row, 7), rel=1e-6)

    @pytest.mark.parametrize("use_resource", [False, True], ids=["ref", "resource"])
    def test_in_training(self, row, use_resource):
        """An optimizer that is given the rate takes that of the step at hand."""
        import ossia as tf

        with tf.Graph().as_default(), tf.Session() as session:
            step = tf.get_variable("step", initializer=0, trainable=False, use_resource=use_resource)
            weight = tf.Variable(0.0)
            rate = build(row, step)
            pairs = [(tf.constant(-1.0), weight)]
            train = tf.train.GradientDescentOptimizer(rate).apply_gradients(pairs, global_step=step)
            session.run(tf.global_variables_initializer())
            total = 0.0
            for n in range(3):
                if "formula" in row.sample:
                    total += expected(row, n)
                session.run(train)
            if "formula" in row.sample:
                assert session.run(weight) == pytest.approx(total, rel=1e-4, abs=1e-6)

    def test_name(self, row):
        """The rate is in the scope that it is given the name of."""
        import ossia as tf

        with tf.Graph().as_default():
            rate = build(row, tf.constant(7), name="Rate")
            assert rate.op.name.startswith("Rate"), f"the rate is called {rate.op.name}"

    def test_step_is_needed(self, row):
        """Without a global step it is refused when it is built."""
        import ossia as tf

        with tf.Graph().as_default(), pytest.raises((ValueError, TypeError)):
            build(row, None)

    def test_graph_travels(self, row):
        """The exported graph gives the same values."""
        import ossia as tf

        with tf.Graph().as_default() as graph, tf.Session() as session:
            step = tf.placeholder(tf.int32, [], name="step")
            rate = build(row, step)
            values = [session.run(rate, {step: n}) for n in STEPS]
        with tf.Graph().as_default(), tf.Session() as session:
            tf.import_graph_def(graph.as_graph_def(), name="")
            assert [session.run(rate.name, {"step:0": n}) for n in STEPS] == values
