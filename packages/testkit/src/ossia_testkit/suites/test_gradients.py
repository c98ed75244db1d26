"""Gradients of ops that are defined elsewhere: one for each input, of its shape and dtype, with the sample's values.

The keys of a sample: `op`, the op type; `inputs`, the values of its inputs; `attrs`, its attributes; `grads`, the
gradients of its outputs (ones if they are left out); `expected`, one gradient per input, None where there is none.
A gradient that is registered under the name of its op is found by it; another one is asked for by a map of overrides.
"""

from __future__ import annotations

import contextlib

import numpy as np
import pytest

from ossia_testkit.registered import Row


def build(row: Row, known: bool = True) -> tuple[list, list, list, dict]:
    """Inputs, outputs, gradients by input, and feeds of a sample's graph."""
    import ossia as tf
    from ossia_core.declare import opdef

    inputs, feeds = [], {}
    for value in row.sample["inputs"]:
        value = np.asarray(value, np.float32) if not isinstance(value, np.ndarray) else value
        inputs.append(tf.placeholder(value.dtype, value.shape if known else None))
        feeds[inputs[-1]] = value
    kind = row.sample.get("op", row.name)
    override = tf.get_default_graph().gradient_override_map({kind: row.name})
    with override if kind != row.name else contextlib.nullcontext():
        outputs = opdef.lookup(kind)(*inputs, **row.sample.get("attrs", {}))
    outputs = list(outputs) if isinstance(outputs, (tuple, list)) else [outputs]
    grads = row.sample.get("grads")
    return inputs, outputs, tf.gradients(outputs, inputs, grads and [tf.constant(grad) for grad in grads]), feeds


class TestGradients:
    """The checks."""

    kind = "gradient"
    packages: tuple[str, ...] = ()

    @pytest.mark.parametrize("shapes", ["known", "unknown"])
    def test_values(self, row, shapes):
        """Each gradient has the shape and dtype of its input, and the sample's values."""
        import ossia as tf

        with tf.Graph().as_default(), tf.Session() as session:
            inputs, _, slopes, feeds = build(row, shapes == "known")
            expected = row.sample.get("expected", [...] * len(inputs))
            assert len(slopes) == len(expected)
            for tensor, slope, wanted in zip(inputs, slopes, expected, strict=True):
                assert (slope is None) == (wanted is None), f"the gradient of {tensor.name} is {slope}"
                if slope is None:
                    continue
                assert slope.dtype == tensor.dtype and slope.shape.is_compatible_with(tensor.shape)
                value = session.run(slope, feeds)
                assert value.shape == feeds[tensor].shape, f"it runs as {value.shape} instead of {feeds[tensor].shape}"
                if wanted is not ...:
                    np.testing.assert_allclose(value, wanted, rtol=1e-5, atol=1e-7)

    def test_forward_is_left_alone(self, row):
        """The values of the op are those that it has without the gradient, and the graph of the forward pass too."""
        import ossia as tf
        from ossia_core.declare import opdef

        with tf.Graph().as_default(), tf.Session() as session:
            inputs, outputs, slopes, feeds = build(row)
            plain = opdef.lookup(row.sample.get("op", row.name))(*inputs, **row.sample.get("attrs", {}))
            plain = list(plain) if isinstance(plain, (tuple, list)) else [plain]
            fetched = session.run([outputs, plain, [slope for slope in slopes if slope is not None]], feeds)
            for a, b in zip(fetched[0], fetched[1], strict=True):
                np.testing.assert_array_equal(a, b)

    def test_in_a_chain(self, row):
        """It takes what flows back to it, and what it gives flows on: linear in the gradients of the outputs."""
        import ossia as tf

        with tf.Graph().as_default(), tf.Session() as session:
            inputs, outputs, _, feeds = build(row)
            once = tf.gradients([2 * out for out in outputs if out.dtype.is_floating], inputs)
            twice = tf.gradients([out for out in outputs if out.dtype.is_floating], inputs)
            for a, b in zip(once, twice, strict=True):
                if a is not None:
                    got, wanted = session.run([a, b], feeds)
                    np.testing.assert_allclose(got, 2 * wanted, rtol=1e-5)

    def test_graph_travels(self, row):
        """The exported graph of the gradient gives the same values."""
        import ossia as tf

        with tf.Graph().as_default() as graph, tf.Session() as session:
            _, _, slopes, feeds = build(row)
            names = [slope.name for slope in slopes if slope is not None]
            values = session.run(names, feeds)
        with tf.Graph().as_default(), tf.Session() as session:
            tf.import_graph_def(graph.as_graph_def(), name="")
            again = session.run(names, {tensor.name: value for tensor, value in feeds.items()})
            for a, b in zip(values, again, strict=True):
                np.testing.assert_array_equal(a, b)
