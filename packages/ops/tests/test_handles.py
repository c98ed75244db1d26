"""Ops on variables through handles that are known only in a run to be of another dtype."""

import pytest

import ossia as tf

UPDATES = {
    **{
        f"ResourceScatter{kind}": lambda handle, kind=kind: getattr(tf.raw_ops, f"ResourceScatter{kind}")(
            resource=handle, indices=[1], updates=[3]
        )
        for kind in ("Add", "Sub", "Mul", "Div", "Min", "Max", "Update")
    },
    **{
        f"ResourceScatterNd{kind}": lambda handle, kind=kind: getattr(tf.raw_ops, f"ResourceScatterNd{kind}")(
            ref=handle, indices=[[1]], updates=[3]
        )
        for kind in ("Add", "Sub", "Update")
    },
    "ResourceStridedSliceAssign": lambda handle: tf.raw_ops.ResourceStridedSliceAssign(
        ref=handle, begin=[0], end=[1], strides=[1], value=[5]
    ),
    "ResourceCountUpTo": lambda handle: tf.raw_ops.ResourceCountUpTo(resource=handle, limit=5, T=tf.int32),
    "ResourceGather": lambda handle: tf.raw_ops.ResourceGather(resource=handle, indices=[1], dtype=tf.int32),
    "ResourceGatherNd": lambda handle: tf.raw_ops.ResourceGatherNd(resource=handle, indices=[[1]], dtype=tf.int32),
}


@pytest.mark.parametrize("kind", UPDATES)
def test_variables_of_another_dtype_are_refused(kind):
    with tf.Graph().as_default(), tf.Session() as session:
        variable = tf.Variable([1.0, 2.0], use_resource=True)
        other = UPDATES[kind](tf.placeholder_with_default(variable.handle, []))
        session.run(variable.initializer)
        with pytest.raises(tf.errors.InvalidArgumentError, match="variable with wrong dtype"):
            session.run(other)
        assert session.run(variable).tolist() == [1.0, 2.0]
