"""Ragged tensors joined, repeated, gathered, reduced, selected and reshaped by the functions of tensors."""

import numpy as np
from golden_case import Case, raises


def tensors(tf):
    return {
        "r": tf.ragged.constant([[1, 2], [3], []]),
        "q": tf.ragged.constant([[7], [], [8, 9]]),
        "f": tf.ragged.constant([[0.1, 0.2], [0.3], []]),
        "b": tf.ragged.constant([[True, False], [True], []]),
        "s": tf.ragged.constant([["a", "b"], ["c"]]),
        "r2": tf.ragged.constant([[[1, 2], [3]], [[4]]]),
        "q2": tf.ragged.constant([[[5], [6]], [[7, 8]]]),
        "r3": tf.ragged.constant([[[1, 2]], [[3, 4], [5, 6]]], ragged_rank=1),
        "i": tf.ragged.constant([[1, 2], [3], []], row_splits_dtype=tf.int32),
        "one": tf.ragged.constant([[[1], [2]], [[3]]]),
    }


def parts(value):
    if isinstance(value, list):
        return [parts(one) for one in value]
    if hasattr(value, "ragged_rank"):
        return [value.flat_values, list(value.nested_row_splits), value.ragged_rank, str(value.shape), value.dtype.name]
    return value


CALLS = {
    "concat": lambda t, r: t.concat([r["r"], r["q"]], 0),
    "concat_three": lambda t, r: t.concat([r["r"], r["q"], r["r"]], axis=0),
    "concat_beside": lambda t, r: t.concat([r["r"], r["q"]], 1),
    "concat_last": lambda t, r: t.concat([r["r"], r["q"]], -1),
    "concat_inner": lambda t, r: t.concat([r["r2"], r["r2"]], 2),
    "concat_nested": lambda t, r: t.concat([r["r2"], r["q2"]], 0),
    "concat_nested_beside": lambda t, r: t.concat([r["r2"], r["q2"]], 1),
    "concat_dense": lambda t, r: t.concat([r["r"], [[7, 8]]], 0),
    "concat_dense_first": lambda t, r: t.concat([t.constant([[7, 8]]), r["r"]], 0),
    "concat_ragged_ranks": lambda t, r: t.concat([r["r2"], r["r3"]], 0),
    "concat_values": lambda t, r: t.concat([r["r3"], r["r3"]], 2),
    "concat_one": lambda t, r: t.concat([r["r"]], 0),
    "concat_alone": lambda t, r: t.concat(r["r"], 0),
    "concat_small_splits": lambda t, r: t.concat([r["i"], r["i"]], 1),
    "concat_named": lambda t, r: t.concat([r["r"], r["q"]], 0, name="c"),
    "stack": lambda t, r: t.stack([r["r"], r["q"]]),
    "stack_beside": lambda t, r: t.stack([r["r"], r["q"]], axis=1),
    "stack_inner": lambda t, r: t.stack([r["r"], r["r"]], 2),
    "stack_one": lambda t, r: t.stack([r["r"]]),
    "stack_list": lambda t, r: t.stack([r["r"], [[1], [2]]]),
    "stack_small_splits": lambda t, r: t.stack([r["i"], r["i"]], 1),
    "ragged_stack": lambda t, r: t.ragged.stack([r["r"], r["q"]], name="x"),
    "ragged_stack_alone": lambda t, r: t.ragged.stack(r["r"]),
    "ragged_stack_scalars": lambda t, r: t.ragged.stack([1, 2]),
    "ragged_stack_vectors": lambda t, r: t.ragged.stack([[1, 2], [3, 4]]),
    "ragged_stack_matrix": lambda t, r: t.ragged.stack([r["r"], t.constant([[1], [2], [3]])]),
    "ragged_stack_negative": lambda t, r: t.ragged.stack([r["r"], r["r"]], -1),
    "tile": lambda t, r: t.tile(r["r"], [2, 1]),
    "tile_inner": lambda t, r: t.tile(r["r"], [1, 2]),
    "tile_both": lambda t, r: t.tile(r["r"], [2, 3]),
    "tile_nested": lambda t, r: t.tile(r["r2"], [2, 3, 1]),
    "tile_all": lambda t, r: t.tile(r["r2"], [2, 2, 2]),
    "tile_dense": lambda t, r: t.tile(r["r3"], [1, 1, 2]),
    "tile_none": lambda t, r: t.tile(r["r"], [1, 1]),
    "tile_zero": lambda t, r: t.tile(r["r"], [0, 2]),
    "tile_tensor": lambda t, r: t.tile(r["r"], t.constant([1, 2])),
    "tile_small_splits": lambda t, r: t.tile(r["i"], [2, 2], name="n"),
    "gather": lambda t, r: t.gather(r["r"], [0, 1]),
    "gather_scalar": lambda t, r: t.gather(r["r"], 1),
    "gather_matrix": lambda t, r: t.gather(r["r"], [[0, 1]], name="g"),
    "gather_tensor": lambda t, r: t.gather(r["r"], t.constant([2, 2, 0])),
    "gather_array": lambda t, r: t.gather(r["r"], np.array([0, 1])),
    "gather_nested": lambda t, r: t.gather(r["r2"], [1, 0, 0]),
    "gather_dense": lambda t, r: t.gather(r["r3"], [1]),
    "gather_by_ragged": lambda t, r: t.gather([1, 2, 3, 4], r["r"]),
    "gather_both": lambda t, r: t.gather(r["q"], t.ragged.constant([[0, 1], [2]])),
    "gather_keywords": lambda t, r: t.gather(params=r["r"], indices=[1]),
    "gather_small_splits": lambda t, r: t.gather(r["i"], [1]),
    "batch_gather": lambda t, r: t.batch_gather(r["r"], t.ragged.constant([[1, 0], [0], []], dtype=t.int32)),
    "batch_gather_dense_indices": lambda t, r: t.batch_gather(r["r3"], [[0], [1]]),
    "batch_gather_vector": lambda t, r: t.batch_gather(r["r"], [0, 0, 1]),
    "batch_gather_dense": lambda t, r: t.batch_gather([[1, 2, 3, 4], [5, 6, 7, 8], [9, 9, 9, 9]], r["r"]),
    "batch_gather_nested": lambda t, r: t.batch_gather(r["r2"], t.ragged.constant([[[1, 0], [0]], [[0]]])),
    "gather_nd": lambda t, r: t.gather_nd(r["r"], [[0, 1], [1, 0]]),
    "gather_nd_rows": lambda t, r: t.gather_nd(r["r"], [[0], [1]]),
    "gather_nd_row": lambda t, r: t.gather_nd(r["r"], [0]),
    "gather_nd_nested": lambda t, r: t.gather_nd(r["r2"], [[0, 1]]),
    "gather_nd_elements": lambda t, r: t.gather_nd(r["r2"], [[0, 1, 0], [1, 0, 0]]),
    "gather_nd_dense": lambda t, r: t.gather_nd(r["r3"], [[1, 0, 1]]),
    "gather_nd_deep": lambda t, r: t.gather_nd(r["r"], [[[0, 1]], [[1, 0]]]),
    "gather_nd_deep_rows": lambda t, r: t.gather_nd(r["r"], [[[0], [1]], [[1], [1]]]),
    "gather_nd_by_ragged": lambda t, r: t.gather_nd(t.constant([[1, 2], [3, 4]]), t.ragged.constant([[[0, 1]], []], ragged_rank=1)),
    "gather_nd_both": lambda t, r: t.gather_nd(r["r"], t.ragged.constant([[[0, 1]], []], ragged_rank=1)),
    "where": lambda t, r: t.where(r["b"]),
    "where_nested": lambda t, r: t.where(t.equal(r["r2"], 1), name="w"),
    "where_elements": lambda t, r: t.where(r["b"], r["r"], r["r"] * 10),
    "where_rows": lambda t, r: t.where([True, False, True], r["r"], r["q"]),
    "where_rows_dense": lambda t, r: t.where(t.constant([True, False, False]), r["r"], [[5], [6], [7]]),
    "boolean_mask": lambda t, r: t.ragged.boolean_mask(r["r"], r["b"]),
    "boolean_mask_rows": lambda t, r: t.ragged.boolean_mask(r["r"], [True, False, True]),
    "boolean_mask_matrix": lambda t, r: t.ragged.boolean_mask([[1, 2], [3, 4]], [[True, False], [True, True]]),
    "boolean_mask_vector": lambda t, r: t.ragged.boolean_mask([1, 2], [True, False]),
    "boolean_mask_matrix_rows": lambda t, r: t.ragged.boolean_mask([[1, 2], [3, 4]], [True, False]),
    "boolean_mask_nested": lambda t, r: t.ragged.boolean_mask(r["r2"], t.ragged.constant([[True, False], [True]])),
    "boolean_mask_nested_rows": lambda t, r: t.ragged.boolean_mask(r["r2"], [True, False]),
    "boolean_mask_deep": lambda t, r: t.ragged.boolean_mask(r["r2"], t.equal(r["r2"], 1)),
    "boolean_mask_values": lambda t, r: t.ragged.boolean_mask([[[1], [2]], [[3], [4]]], [[True, False], [True, True]], name="z"),
    "boolean_mask_cube": lambda t, r: t.ragged.boolean_mask([[[1, 2], [3, 4]]], [[[True, False], [True, True]]]),
    "boolean_mask_dense_by_ragged": lambda t, r: t.ragged.boolean_mask([[1, 2], [3, 4]], t.ragged.constant([[True, False], [True, True]])),
    "rank": lambda t, r: t.rank(r["r"]),
    "rank_named": lambda t, r: t.rank(r["r3"], name="k"),
    "size": lambda t, r: t.size(r["r"]),
    "size_long": lambda t, r: t.size(r["r2"], out_type=t.int64, name="z"),
    "expand_first": lambda t, r: t.expand_dims(r["r"], 0),
    "expand_second": lambda t, r: t.expand_dims(r["r"], axis=1),
    "expand_last": lambda t, r: t.expand_dims(r["r"], -1),
    "expand_nested": lambda t, r: t.expand_dims(r["r2"], 2, name="e"),
    "expand_dense": lambda t, r: t.expand_dims(r["r3"], 3),
    "expand_dim": lambda t, r: t.expand_dims(r["r"], dim=1),
    "squeeze_first": lambda t, r: t.squeeze(t.expand_dims(r["r"], 0), [0]),
    "squeeze_second": lambda t, r: t.squeeze(t.expand_dims(r["r"], 1), 1),
    "squeeze_last": lambda t, r: t.squeeze(t.expand_dims(r["r"], 2), [-1]),
    "squeeze_ragged": lambda t, r: t.squeeze(r["one"], [2]),
    "squeeze_not": lambda t, r: t.squeeze(r["r"], [1]),
    "squeeze_both": lambda t, r: t.squeeze(t.expand_dims(t.expand_dims(r["r"], 0), 0), [0, 1]),
    "one_hot": lambda t, r: t.one_hot(r["r"], 4),
    "one_hot_values": lambda t, r: t.one_hot(r["r"], 4, on_value=5, off_value=-1, name="o"),
    "one_hot_axis": lambda t, r: t.one_hot(r["r3"], 7, axis=2),
    "partition": lambda t, r: t.dynamic_partition(r["r"], [0, 1, 0], 2),
    "partition_elements": lambda t, r: t.dynamic_partition(r["r"], r["r"], 4),
    "partition_rows": lambda t, r: t.ragged.stack_dynamic_partitions(r["r"], [1, 0, 1], 2),
    "partition_matrix": lambda t, r: t.ragged.stack_dynamic_partitions([[1, 2], [3, 4]], [[0, 1], [1, 0]], 2),
    "partition_scalar": lambda t, r: t.ragged.stack_dynamic_partitions([[1, 2], [3, 4]], 1, 2),
    "partition_both": lambda t, r: t.ragged.stack_dynamic_partitions(r["q"], t.ragged.constant([[1], [], [0, 1]], dtype=t.int32), 2),
    "join": lambda t, r: t.strings.reduce_join(r["s"], axis=1),
    "join_separator": lambda t, r: t.strings.reduce_join(r["s"], 1, separator=","),
    "join_first": lambda t, r: t.strings.reduce_join(r["s"], 0),
    "join_all": lambda t, r: t.strings.reduce_join(r["s"], [0, 1]),
    "join_v2": lambda t, r: t.compat.v2.strings.reduce_join(r["s"], axis=-1),
    "sum_both": lambda t, r: t.reduce_sum(r["r"], [0, 1]),
    "sum_inner_both": lambda t, r: t.reduce_sum(r["r2"], [1, 2]),
    "sum_outer_both": lambda t, r: t.reduce_sum(r["r2"], [0, 2]),
    "sum_three": lambda t, r: t.reduce_sum(r["r2"], [0, 1, 2]),
    "sum_of_tensor": lambda t, r: t.reduce_sum(r["r"], t.constant(1)),
    "sum_named": lambda t, r: t.reduce_sum(r["r"], 1, name="s"),
    "sum_of_no_axis": lambda t, r: t.reduce_sum(r["r"], []),
    "sum_values": lambda t, r: t.reduce_sum(r["r3"], 2),
    "sum_indices": lambda t, r: t.reduce_sum(r["r"], reduction_indices=1),
    "sum_small_splits": lambda t, r: t.reduce_sum(r["i"], 1),
    "mean_int": lambda t, r: t.reduce_mean(r["r"], 1),
    "mean_all": lambda t, r: t.reduce_mean(r["f"]),
}
for _kind in ("sum", "prod", "min", "max", "mean"):
    for _axis in (None, 0, 1, -1):
        CALLS["%s_%s" % (_kind, _axis)] = lambda t, r, kind=_kind, axis=_axis: getattr(t, "reduce_" + kind)(r["f"], axis)
    CALLS["%s_nested" % _kind] = lambda t, r, kind=_kind: getattr(t, "reduce_" + kind)(t.cast(r["r2"], t.float32), 0)
    CALLS["%s_nested_inner" % _kind] = lambda t, r, kind=_kind: getattr(t, "reduce_" + kind)(t.cast(r["r2"], t.float32), axis=2)
for _kind in ("any", "all"):
    for _axis in (None, 0, 1, [0, 1]):
        CALLS["%s_%s" % (_kind, "both" if isinstance(_axis, list) else _axis)] = (
            lambda t, r, kind=_kind, axis=_axis: getattr(t, "reduce_" + kind)(r["b"], axis))
for _kind in ("sum", "prod", "min", "max", "mean", "sqrt_n"):
    CALLS["segment_" + _kind] = lambda t, r, kind=_kind: getattr(t.math, "unsorted_segment_" + kind)(r["f"], [0, 1, 0], 3)
    CALLS["segment_elements_" + _kind] = (
        lambda t, r, kind=_kind: getattr(t.math, "unsorted_segment_" + kind)(t.cast(r["r"], t.float32), r["r"], 5))
CALLS["segment_nested"] = lambda t, r: t.math.unsorted_segment_sum(r["r2"], [0, 0], 2, name="n")
CALLS["segment_nested_rows"] = lambda t, r: t.math.unsorted_segment_sum(r["r2"], t.ragged.constant([[0, 1], [0]]), 2)


def _case(call):
    return lambda tf: parts(call(tf, tensors(tf)))


globals().update({"case_" + name: _case(call) for name, call in CALLS.items()})


def case_tile_fed(tf):
    p, m = tf.ragged.placeholder(tf.int32, 2), tf.placeholder(tf.int64, [None])
    return Case([parts(tf.tile(p, m))], feeds={p: tf.ragged.constant_value([[[1, 2], [3]], [[4]], []], dtype="int32"), m: [2, 1, 2]})


def case_fed(tf):
    p, i = tf.ragged.placeholder(tf.float32, 2), tf.placeholder(tf.int32, [None])
    made = [tf.concat([p, p], 1), tf.stack([p, p]), tf.gather(p, i), tf.reduce_sum(p, 1), tf.reduce_max(p, 2), tf.where(p > 1.0),
            tf.expand_dims(p, 1), tf.size(p), tf.rank(p), tf.ragged.boolean_mask(p, p > 1.0)]
    return Case([parts(one) for one in made],
                feeds={p: tf.ragged.constant_value([[[1, 2], [3]], [[4]], []], dtype="float32"), i: [1, 1]})


def case_gather_beyond(tf):
    return parts(tf.gather(tensors(tf)["r"], [0, 7]))


def case_concat_rows_differ(tf):
    p, q = tf.ragged.placeholder(tf.int32, 1), tf.ragged.placeholder(tf.int32, 1)
    return Case(parts(tf.concat([p, q], 1)), feeds={p: tf.ragged.constant_value([[1], [2]], dtype="int32"),
                                                    q: tf.ragged.constant_value([[1]], dtype="int32")})


def case_gradients(tf):
    v = tf.constant([1.0, 2.0, 3.0])
    r = tf.RaggedTensor.from_row_splits(v, [0, 2, 3], validate=False)
    made = [tf.reduce_sum(r, 1), tf.reduce_mean(r, 0), tf.concat([r, r], 1).flat_values, tf.gather(r, [1, 0, 1]).flat_values,
            tf.tile(r, [2, 2]).flat_values, tf.ragged.boolean_mask(r, r > 1.0).flat_values, r.to_tensor(),
            tf.math.unsorted_segment_sum(r, [0, 0], 1).flat_values]
    return [tf.gradients(one * 2.0, v)[0] for one in made]


def case_refused(tf):
    r = tensors(tf)
    return [raises(tf.concat, [r["r"], r["r2"]], 0), raises(tf.concat, [r["r"], r["i"]], 0), raises(tf.concat, [r["r"], r["r"]], 2),
            raises(tf.concat, [r["r"], r["f"]], 0), raises(tf.stack, [r["r"], r["r"]], 5), raises(tf.stack, [r["r"], r["r2"]]),
            raises(tf.ragged.stack, []), raises(tf.ragged.stack, [[1, 2], [3]]), raises(tf.tile, r["r"], [1]), raises(tf.tile, r["r"], 2),
            raises(tf.gather, r["r"], [0], axis=1), raises(tf.gather, r["r"], [[0]], batch_dims=1), raises(tf.gather, r["r"], []),
            raises(tf.gather, r["r"], tf.placeholder(tf.int32)), raises(tf.batch_gather, r["r"], 0),
            raises(tf.gather_nd, r["r"], r["r"]), raises(tf.gather_nd, r["r"], [[0]], batch_dims=1), raises(tf.gather_nd, r["r"], 0),
            raises(tf.where, r["b"], r["r"]), raises(tf.where, r["b"], r["r"], [1, 2]), raises(tf.ragged.boolean_mask, r["r"], True),
            raises(tf.ragged.boolean_mask, r["r"], [1, 0]), raises(tf.ragged.boolean_mask, r["r"], tf.placeholder(tf.bool)),
            raises(tf.expand_dims, r["r"], 5), raises(tf.expand_dims, r["r"]), raises(tf.squeeze, r["r"]), raises(tf.squeeze, r["r"], [5]),
            raises(tf.squeeze, r["r"], "a"), raises(tf.one_hot, r["r"], 4, axis=0), raises(tf.reduce_sum, r["r"], 5),
            raises(tf.reduce_sum, r["r"], keepdims=True), raises(tf.reduce_sum, r["r"], 1, keepdims=True), raises(tf.reduce_sum, r["r"], "a"),
            raises(tf.reduce_sum, r["r"], tf.placeholder(tf.int32)), raises(tf.dynamic_partition, r["r"], [0], tf.constant(2)),
            raises(tf.dynamic_partition, r["r"], [0], -1), raises(tf.math.unsorted_segment_sum, [1, 2], r["r"], 2),
            raises(tf.math.unsorted_segment_sum, r["r"], [0.0, 1.0, 1.0], 2), raises(tf.reverse, r["r"], [0]),
            raises(tf.transpose, r["r"]), raises(tf.cumsum, r["r"]), raises(tf.argmax, r["r"], 1)]
