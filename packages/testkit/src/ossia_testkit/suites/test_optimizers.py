"""Optimizers: steps against their formula, sparse and dense, their slots, saving and restoring.

The keys of a sample: `arguments`, of the constructor; or `make`, a function that makes the optimizer. `formula`, a
function `(weight, gradient, slots, **arguments)` that returns the weight after one step, with what it keeps in the
dictionary `slots`, which is empty at first; what it calls as the optimizer's slots are called is compared with them.
`rows`: `"all"` if a sparse gradient counts as a dense one with zeros (so by default), `"touched"` if the formula is
applied to the rows of the gradient alone, None if there are no sparse updates. `dtypes`: names of those that it trains,
float32 and float64 if they are left out.
"""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pytest

from ossia_testkit.registered import Row

START = np.array([[0.5, -1.0], [2.0, 0.25], [-0.75, 1.5], [0.0, 3.0]])
GRADIENT = np.array([[0.5, -1.0], [0.25, 2.0], [-3.0, 0.125], [0.75, -0.5]])
ROWS = [2, 0, 2]  # of sparse gradients: not in order, one twice
STEPS = 4


class Training:
    """A variable and an optimizer of a sample in a graph of their own.

    Args:
        row: The sample.
        dtype: The variable's.
        use_resource: Its kind.
        sparse: Whether the loss reads some rows only.
    """

    def __init__(self, row: Row, dtype: str = "float32", use_resource: bool = False, sparse: bool = False) -> None:
        import ossia as tf

        self.tf, self.graph, self.arguments = tf, tf.Graph(), dict(row.sample.get("arguments", {}))
        with self.graph.as_default():
            self.step = tf.train.create_global_step()
            self.optimizer = self.made(row)
            self.weight = tf.get_variable("weight", initializer=START.astype(dtype), use_resource=use_resource)
            self.factor = tf.placeholder_with_default(np.asarray(1, dtype), [], "factor")
            value = tf.gather(self.weight, ROWS) if sparse else self.weight
            loss = self.factor * tf.reduce_sum(value * (GRADIENT[ROWS] if sparse else GRADIENT).astype(dtype))
            self.pairs = self.optimizer.compute_gradients(loss)
            self.train = self.optimizer.apply_gradients(self.pairs, global_step=self.step)
            self.saver, self.init = tf.train.Saver(), tf.global_variables_initializer()

    def made(self, row: Row) -> Any:
        """The optimizer."""
        if "make" in row.sample:
            return row.sample["make"]()
        cls = row.load()
        if not row.sample and "learning_rate" in inspect.signature(cls).parameters:
            self.arguments = {"learning_rate": 0.1}
        return cls(**self.arguments)

    def slots(self) -> dict[str, Any]:
        """The slot variables of the weight by name."""
        return {name: self.optimizer.get_slot(self.weight, name) for name in self.optimizer.get_slot_names()}

    def state(self, session: Any) -> dict[str, np.ndarray]:
        """Values of all variables by name."""
        with self.graph.as_default():
            return session.run({v.op.name: v.read_value() for v in self.tf.global_variables()})


def sparse_gradient() -> np.ndarray:
    """The gradient of the rows that the sparse loss reads, as a dense one."""
    dense = np.zeros_like(GRADIENT)
    np.add.at(dense, ROWS, GRADIENT[ROWS])
    return dense


class TestOptimizers:
    """The checks."""

    kind = "optimizer"
    packages: tuple[str, ...] = ()

    def test_is_served(self, row):
        """Programs find it as `tf.train.<name>`."""
        import ossia as tf

        assert issubclass(row.load(), tf.train.Optimizer)
        assert getattr(tf.train, row.name) is row.load()

    @pytest.mark.parametrize("gradient", ["dense", "sparse"])
    @pytest.mark.parametrize("use_resource", [False, True], ids=["ref", "resource"])
    @pytest.mark.parametrize("dtype", ["float32", "float64"])
    def test_formula(self, row, dtype, use_resource, gradient):
        """Weights and slots follow the formula; without one they stay finite, and of the variable's dtype."""
        sparse, rows = gradient == "sparse", row.sample.get("rows", "all")
        if dtype not in row.sample.get("dtypes", [dtype]):
            return
        if sparse and rows is None:
            with pytest.raises((NotImplementedError, TypeError, ValueError, LookupError)):
                Training(row, dtype, use_resource, sparse)
            return
        training = Training(row, dtype, use_resource, sparse)
        with training.tf.Session(graph=training.graph) as session:
            session.run(training.init)
            expected, kept = START.copy(), {}
            for factor in (1.0, -0.5, 0.0, 2.0):
                session.run(training.train, {training.factor: factor})
                if "formula" in row.sample:
                    change = factor * (sparse_gradient() if sparse else GRADIENT)
                    touched = sorted(set(ROWS)) if sparse and rows == "touched" else slice(None)
                    expected[touched] = row.sample["formula"](
                        expected[touched], change[touched], kept, **training.arguments
                    )
            weight = session.run(training.weight.read_value())
            assert weight.dtype == dtype and np.all(np.isfinite(weight))
            if "formula" in row.sample:
                close = {"rtol": 2e-5, "atol": 1e-6}  # rates are single numbers, whatever the variable is
                np.testing.assert_allclose(weight, expected, **close, err_msg="the weight")
                for name, slot in training.slots().items():
                    if name in kept:
                        value = session.run(slot.read_value())
                        value = value[touched] if value.ndim else value
                        np.testing.assert_allclose(value, kept[name], **close, err_msg=f"the slot {name}")

    def test_slots(self, row):
        """Slots have the variable's name and dtype, are saved and not trained, and `variables()` lists them."""
        training = Training(row)
        tf, graph = training.tf, training.graph
        trained = graph.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES)
        assert [v.op.name for v in trained] == ["weight"]
        everything = {v.op.name for v in graph.get_collection(tf.GraphKeys.GLOBAL_VARIABLES)}
        for name, slot in training.slots().items():
            assert slot is not None, f"there is no slot {name}"
            assert slot.op.name.startswith("weight/"), f"the slot {name} is called {slot.op.name}"
            assert slot.dtype.base_dtype == training.weight.dtype.base_dtype
            assert slot.op.name in everything, f"the slot {name} is not saved"
        with graph.as_default():
            listed = {v.op.name for v in training.optimizer.variables()}
        assert listed == everything - {"weight", "global_step"}, "variables() lists something else than what there is"

    def test_counts_steps(self, row):
        """Each step advances the global step by one, when the update is done."""
        training = Training(row)
        with training.tf.Session(graph=training.graph) as session:
            session.run(training.init)
            for _ in range(3):
                session.run(training.train)
            assert session.run(training.step) == 3

    @pytest.mark.parametrize("use_resource", [False, True], ids=["ref", "resource"])
    def test_resumes(self, row, use_resource, tmp_path):
        """Steps after a checkpoint was restored give the bits that they give without."""
        prefix = str(tmp_path / "model")
        training = Training(row, use_resource=use_resource)
        with training.tf.Session(graph=training.graph) as session:
            session.run(training.init)
            for _ in range(STEPS):
                session.run(training.train)
            training.saver.save(session, prefix)
            for _ in range(STEPS):
                session.run(training.train, {training.factor: -0.5})
            expected = training.state(session)
        again = Training(row, use_resource=use_resource)
        with again.tf.Session(graph=again.graph) as session:
            again.saver.restore(session, prefix)
            for _ in range(STEPS):
                session.run(again.train, {again.factor: -0.5})
            got = again.state(session)
        assert got.keys() == expected.keys()
        for name, value in expected.items():
            np.testing.assert_array_equal(got[name], value, err_msg=name)

    def test_graph_travels(self, row):
        """The exported graph trains as the graph does."""
        training = Training(row)
        tf = training.tf
        with tf.Session(graph=training.graph) as session:
            session.run(training.init)
            session.run(training.train)
            expected = session.run(training.weight)
        with tf.Graph().as_default() as graph:
            tf.import_graph_def(training.graph.as_graph_def(), name="")
            with tf.Session() as session:
                session.run(training.init.name)
                session.run(training.train.name)
                got = session.run(graph.get_tensor_by_name("weight:0"))
        np.testing.assert_array_equal(got, expected)

    def test_learning_rate_changes(self, row):
        """A learning rate that is a tensor is asked in each step."""
        if "learning_rate" not in row.sample.get("arguments", {}) or "formula" not in row.sample:
            return  # it is made otherwise
        import ossia as tf

        rates, kept, expected = (0.1, 0.01, 0.3), {}, START.copy()
        with tf.Graph().as_default(), tf.Session() as session:
            rate = tf.placeholder(tf.float32, [])
            weight = tf.Variable(START.astype(np.float32))
            optimizer = row.load()(**{**row.sample["arguments"], "learning_rate": rate})
            train = optimizer.apply_gradients([(tf.constant(GRADIENT, tf.float32), weight)])
            session.run(tf.global_variables_initializer())
            for value in rates:
                session.run(train, {rate: value})
                options = {**row.sample["arguments"], "learning_rate": value}
                expected = row.sample["formula"](expected, GRADIENT, kept, **options)
            np.testing.assert_allclose(session.run(weight), expected, rtol=2e-5, atol=1e-6)

    def test_several_variables(self, row):
        """Variables of other shapes are trained together, by two of a kind; one without a gradient is left alone."""
        import ossia as tf

        training = Training(row)
        with tf.Graph().as_default(), tf.Session() as session:
            tf.train.create_global_step()
            shapes = {"scalar": [], "empty": [0, 2], "vector": [5], "alone": [2]}
            variables = {name: tf.Variable(np.ones(shape, np.float32), name=name) for name, shape in shapes.items()}
            gradients = [(None if name == "alone" else tf.ones_like(v.initialized_value()), v)
                         for name, v in variables.items()]
            steps = [training.made(row).apply_gradients(gradients) for _ in range(2)]
            session.run(tf.global_variables_initializer())
            for step in steps:
                session.run(step)
            values = session.run(variables)
            assert {name: list(value.shape) for name, value in values.items()} == shapes
            assert values["alone"].tolist() == [1, 1]
            assert all(np.all(np.isfinite(value)) for value in values.values())
            assert np.ptp(values["vector"]) == 0 and values["vector"][0] == values["scalar"]
