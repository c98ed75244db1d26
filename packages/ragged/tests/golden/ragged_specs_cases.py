"""Specs of ragged tensors, ragged tensors as variants, and the op that makes dense tensors of row partitions."""

import numpy as np
from golden_case import Case, raises


def parts(ragged):
    return [ragged.flat_values, list(ragged.nested_row_splits), str(ragged.shape)]


def case_specs(tf):
    s = tf.RaggedTensorSpec
    made = [s([2, None], tf.int32), s([2, None, None], tf.int32, 1), s(None, tf.int32, 1), s([None]), s([2, None], row_splits_dtype=tf.int32),
            s([2, 3], tf.int32, ragged_rank=0), s([2, None, None], tf.string), s(ragged_rank=2)]
    return [[repr(one), repr(one._component_specs), repr(one._serialize()), one.value_type.__name__] for one in made]


def case_specs_refused(tf):
    s = tf.RaggedTensorSpec
    return [raises(s), raises(s, [2, None], ragged_rank=3), raises(s, [2, None], ragged_rank="a"), raises(s, 3), raises(s, [2, None], "nonsense"),
            raises(s.from_value, 3), raises(s([2, None]).most_specific_compatible_type, s([2, None], tf.int32)),
            raises(s([2, None]).most_specific_compatible_type, tf.TensorSpec([2, None]))]


def case_specs_of_values(tf):
    r, r2 = tf.ragged.constant([[1, 2], [3]]), tf.ragged.constant([[["a"], []], []], row_splits_dtype=tf.int32)
    s = tf.RaggedTensorSpec
    return [repr(s.from_value(r)), repr(s.from_value(r2)), repr(s.from_value(tf.ragged.constant_value([[1]]))), repr(r._type_spec),
            repr(r2._type_spec)]


def case_specs_compared(tf):
    s, r = tf.RaggedTensorSpec, tf.ragged.constant([[1, 2], [3]])
    a, b = s([2, None], tf.int32), s([3, None], tf.int32)
    return [a == b, a == s([2, None], tf.int32), a != b, hash(a) == hash(s([2, None], tf.int32)), a.is_compatible_with(r),
            b.is_compatible_with(r), s([2, None], tf.int64).is_compatible_with(r), s([None, None], tf.int32).is_compatible_with(a),
            a.is_compatible_with(b), a.is_compatible_with(3), repr(a.most_specific_compatible_type(b)),
            a.is_compatible_with(tf.ragged.constant_value([[1], [2]], dtype=np.int32)), s([2, None], tf.int32, 0).is_compatible_with(tf.zeros([2, 3], tf.int32)),
            repr(a._batch(3)), repr(a._unbatch()), repr(s([2, None, 4], tf.int32, 1)._unbatch())]


def case_specs_components(tf):
    s, r = tf.RaggedTensorSpec([2, None], tf.int32), tf.ragged.constant([[1, 2], [3]])
    return [s._to_components(r), parts(s._from_components(s._to_components(r)))]


def case_variants(tf):
    f = tf.RaggedTensor._from_variant
    r, r2 = tf.ragged.constant([[1, 2], [3], []]), tf.ragged.constant([[["a", "b"], ["c"]], [["d"]]])
    d = tf.ragged.constant([[[1, 2]], [[3, 4], [5, 6]]], ragged_rank=1)
    return [parts(f(r._to_variant(), tf.int32, 1)), parts(f(r._to_variant(batched_input=True), tf.int32, 1)),
            parts(f(r2._to_variant(batched_input=True, name="v"), tf.string, 2)), parts(f(r2._to_variant(True), tf.string, 2, 1, name="w")),
            parts(f(r2._to_variant(), tf.string, 2)), parts(f(d._to_variant(True), tf.int32, 1)), r._to_variant(True).shape.as_list()]


def case_variants_gathered(tf):
    v = tf.ragged.constant([[1, 2], [3], [4, 5, 6]])._to_variant(batched_input=True)
    return parts(tf.RaggedTensor._from_variant(tf.gather(v, [2, 0]), tf.int32, 1))


def case_variants_of_matrix(tf):
    v = tf.reshape(tf.ragged.constant([[1, 2], [3], [4, 5, 6], []])._to_variant(batched_input=True), [2, 2])
    return parts(tf.RaggedTensor._from_variant(v, tf.int32, 2))


def case_variants_wrong_dtype(tf):
    return parts(tf.RaggedTensor._from_variant(tf.ragged.constant([[1, 2], [3]])._to_variant(), tf.float32, 1))


def case_variants_wrong_rank(tf):
    return parts(tf.RaggedTensor._from_variant(tf.ragged.constant([[1, 2], [3]])._to_variant(), tf.int32, 2))


def case_variants_refused(tf):
    r = tf.ragged.constant([[1, 2], [3]])
    f = tf.RaggedTensor._from_variant
    return [raises(f, r._to_variant(), tf.int32, 1, 3), raises(f, r._to_variant(), tf.int32, 0), raises(f, 3, tf.int32, 1)]


def to_tensor(tf, shape, values, default, tensors, types):
    return tf.raw_ops.RaggedTensorToTensor(shape=shape, values=values, default_value=default, row_partition_tensors=tensors,
                                           row_partition_types=types)


SPLITS, ROWIDS, SIZE = "ROW_SPLITS", "VALUE_ROWIDS", "FIRST_DIM_SIZE"


def case_to_tensor(tf):
    return [to_tensor(tf, [3, 4], [1, 2, 3], 9, [[0, 2, 3]], [SPLITS]), to_tensor(tf, [-1, -1], [1, 2, 3], 9, [3, [0, 0, 2]], [SIZE, ROWIDS]),
            to_tensor(tf, [2, 1], [1, 2, 3], 9, [[0, 2, 3]], [SPLITS]), to_tensor(tf, -1, ["a", "b"], "x", [[0, 0, 2]], [SPLITS]),
            to_tensor(tf, [-1, -1, -1], [1, 2, 3], 0, [[0, 1, 2], [0, 2, 3]], [SPLITS, SPLITS]),
            to_tensor(tf, [-1, -1, -1], [1, 2, 3], 0, [2, [0, 1], [0, 0, 1]], [SIZE, ROWIDS, ROWIDS]),
            to_tensor(tf, [-1, -1, 2], [[1, 2], [3, 4]], [8, 9], [[0, 0, 2]], [SPLITS]),
            to_tensor(tf, [-1, -1, -1], [[1, 2], [3, 4]], 7, [[0, 1, 2]], [SPLITS]), to_tensor(tf, [0, 0], [1, 2], 7, [[0, 1, 2]], [SPLITS])]


def case_to_tensor_fed(tf):
    p, v = tf.placeholder(tf.int64, [None]), tf.placeholder(tf.float32, [None])
    return Case([to_tensor(tf, [-1, 3], v, 0.0, [p], [SPLITS])], feeds={p: [0, 2, 2, 3], v: [1, 2, 3]})


def case_to_tensor_refused(tf):
    return [raises(to_tensor, tf, [1, 2, 3], [1, 2], 0, [[0, 2]], [SPLITS]), raises(to_tensor, tf, [1, 2, 3], [[1, 2]], 0, [[0, 1]], [SPLITS])]
