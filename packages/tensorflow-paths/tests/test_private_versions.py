"""Private modules take arguments in the order, and under the names, of the original's."""

import importlib

import numpy as np
import pytest

import ossia as tf
from ossia_tensorflow_paths import finder


@pytest.fixture(autouse=True)
def graph():
    finder.install()
    with tf.Graph().as_default() as graph:
        yield graph


def module(name):
    return importlib.import_module(f"tensorflow.python.{name}")


def run(fetches):
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return session.run(fetches)


@pytest.mark.parametrize(
    ("name", "arguments", "expected"),  # sums of what the original draws
    [
        ("RandomUniform", {"minval": 0, "maxval": 3, "seed": 7}, 6.3638), ("RandomNormal", {"seed": 7}, -0.21927),
        ("TruncatedNormal", {"mean": 1.0, "stddev": 2.0, "seed": 3}, 5.3363),
        ("VarianceScaling", {"scale": 2.0, "mode": "fan_out", "distribution": "uniform", "seed": 3}, 1.7618),
        ("Orthogonal", {"gain": 2.0, "seed": 4}, -1.393), ("GlorotNormal", {"seed": 1}, -0.42125),
        ("he_uniform", {"seed": 1}, 1.1479), ("Identity", {"gain": 3.0}, 6.0),
        ("Constant", {"value": [1, 2, 3, 4]}, 10),
    ],
)  # fmt: skip
def test_second_initializers_draw_the_same_numbers_again(name, arguments, expected):
    made = getattr(module("ops.init_ops_v2"), name)(**arguments)
    again = type(made).from_config(made.get_config())
    assert "dtype" not in made.get_config()
    for value in run([made([2, 2]), made([2, 2]), again([2, 2])]):
        np.testing.assert_allclose(value.sum(), expected, rtol=1e-4)


def test_second_initializers_refuse_what_the_original_refuses():
    v2 = module("ops.init_ops_v2")
    for call, kind in (
        (lambda: v2.Constant([1, 2, 3])([2, 2]), TypeError), (lambda: v2.Constant(lambda: 1), TypeError),
        (lambda: v2.RandomNormal()([2], tf.int32), ValueError), (lambda: v2.Ones()([2], tf.string), ValueError),
        (lambda: v2.Orthogonal()([3]), ValueError), (lambda: v2.VarianceScaling(scale=-1.0), ValueError),
    ):  # fmt: skip
        with pytest.raises(kind):
            call()


def test_arguments_by_position():
    ragged = tf.ragged.constant([[1, 2], [3]])
    control, gather = module("ops.control_flow_ops"), module("ops.ragged.ragged_gather_ops")
    found = run({
        "matrix": module("ops.confusion_matrix").confusion_matrix([1, 2], [2, 2], 4, [1, 2], tf.int64, "q"),
        "raw": module("ops.parsing_ops").decode_raw(tf.constant([b"abcd"]), tf.int16, True, 4, "raw"),
        "initialized": module("ops.state_ops").is_variable_initialized(tf.Variable(1.0), name="q"),
        "switched": control.switch([1, 2], True, tf.int64, "nm")[1],
        "gathered": gather.gather(ragged, [1, 0], None, 0, 0, "nm").flat_values,
        "sum": module("ops.ragged.ragged_math_ops").reduce_sum(input_tensor=ragged, axis=1),
        "size": module("ops.ragged.ragged_array_ops").size(ragged, tf.int64, "nm"),
    })  # fmt: skip
    assert found["matrix"].dtype == np.int64 and found["matrix"][2, 2] == 2 and found["raw"].shape == (1, 2)
    assert found["initialized"] and found["switched"].dtype == np.int64 and found["gathered"].tolist() == [3, 1, 2]
    assert found["sum"].tolist() == [3, 3] and found["size"] == 3 and control.control_trigger().type == "ControlTrigger"


def test_sets_of_objects():
    first, same, other = [1], [1], [2]
    identity = module("util.object_identity")
    members = identity.ObjectIdentitySet([first, same])
    assert len(members.intersection([first, other])) == 1 and len(members.difference([first])) == 1
    members.update(items=[other])
    members.discard(key=first)
    assert first not in members and same in members and other in members

    class Thing:
        pass

    kept, dropped = Thing(), Thing()
    weak = identity.ObjectIdentityWeakSet([kept, dropped])
    assert len(weak) == 2 and len(weak.intersection([kept])) == 1
    del dropped
    assert list(weak) == [kept]


def test_shapes_of_ragged_tensors_in_a_run():
    shapes = module("ops.ragged.ragged_tensor_shape")
    made = shapes.RaggedTensorDynamicShape
    ragged = made.from_tensor(tf.ragged.constant([[1, 2], [3]]))
    sizes = made.from_dim_sizes([2, [2, 1], 3])
    assert (sizes.rank, sizes.num_partitioned_dimensions, sizes.num_inner_dimensions) == (3, 2, 1)
    assert sizes.is_ragged(1) and not sizes.is_ragged(2)
    assert sizes.with_dim_size_dtype(tf.int32).dim_size_dtype is tf.int32
    whole = shapes.broadcast_dynamic_shape(ragged, made.from_dim_sizes([1, 1]))
    found = run([
        ragged.num_slices_in_dimension(1), ragged.dimension_size(1), whole.partitioned_dim_sizes[1],
        shapes.broadcast_to(tf.constant([[1], [2]]), ragged).flat_values,
        shapes.broadcast_to(tf.constant([1, 2]), made.from_dim_sizes([2, 2])),
        ragged.broadcast_to_rank(4).dimension_size(0),
    ])  # fmt: skip
    assert [np.asarray(value).tolist() for value in found] == [3, [2, 1], [2, 1], [1, 1, 2], [[1, 2], [1, 2]], 1]
    with pytest.raises(ValueError, match="outermost partitioned dimension must be uniform"):
        made.from_dim_sizes([[2, 1], 2])
    with pytest.raises(ValueError, match="rank=1 must be greater than self.rank=2"):
        ragged.broadcast_to_rank(1)


def test_sizes_of_ragged_shapes_that_do_not_fit():
    from tensorflow.python.ops.ragged import ragged_config
    from tensorflow.python.ops.ragged import ragged_tensor_shape as shapes

    made = shapes.RaggedTensorDynamicShape
    for text, refused in (
        ("Each dim_size must be a scalar or a vector", lambda: made.from_dim_sizes([2, [[1]]])),
        ("outermost partitioned dimension must be uniform", lambda: made([[1, 2]], [1])),
        ("innermost partitioned dimension must be ragged", lambda: made([2, 3], [1])),
        ("must have rank at most 1", lambda: made([2, [[1]]], [1])),
        ("must have rank 1", lambda: made([2, [1]], [[1]])),
    ):
        with pytest.raises(ValueError, match=text):
            refused()
    kept = shapes.broadcast_to(5, made.from_dim_sizes([2, 2]), broadcast_inner_dimensions=False)
    assert isinstance(kept, tf.Tensor)
    assert ragged_config.auto_cast_partition_dtype() is False
