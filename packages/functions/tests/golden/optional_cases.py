"""Optionals and their specs."""

import numpy as np
from golden_case import Case, raises


def case_values(tf):
    o = tf.data.experimental.Optional
    a, b = o.from_value(3), o.from_value({"a": 3, "b": (1.0, [1, 2])})
    return [a.get_value(), a.has_value(), b.get_value(), b.has_value(name="h"), repr(a.value_structure), repr(b.value_structure)]


def case_none(tf):
    n = tf.data.experimental.Optional.none_from_structure(tf.TensorSpec([], tf.int32))
    return [n.has_value(), repr(n.value_structure)]


def case_none_taken(tf):
    return [tf.data.experimental.Optional.none_from_structure(tf.TensorSpec([], tf.int32)).get_value()]


def case_sparse(tf):
    made = tf.data.experimental.Optional.from_value(tf.SparseTensor([[0, 1]], [5], [2, 2]))
    value = made.get_value()
    return Case([value.values, value.indices], graph=False)


def case_specs(tf):
    o, t = tf.OptionalSpec, tf.TensorSpec
    a, b, c = o(t([2], tf.int32)), o(t([None], tf.int32)), o({"a": t([2], tf.int32), "b": t(None, tf.string)})
    return [repr(a), repr(a._component_specs), repr(c._serialize()), a == o(t([2], tf.int32)), a == b, a != c, a.is_compatible_with(b),
            b.is_compatible_with(a), a.is_compatible_with(c), repr(a.most_specific_compatible_type(o(t([3], tf.int32)))), repr(o(3)),
            a.is_compatible_with(o(t([2], tf.float32))), tf.data.experimental.OptionalStructure is o,
            repr(o.from_value(tf.data.experimental.Optional.from_value(np.float32(3))))]


def case_specs_refused(tf):
    o, t = tf.OptionalSpec, tf.TensorSpec
    return [raises(o.from_value, 3), raises(o), raises(o(t([2], tf.int32)).most_specific_compatible_type, o(t([2], tf.int64)))]


def case_components(tf):
    o = tf.data.experimental.Optional.from_value(3)
    s = tf.OptionalSpec(tf.TensorSpec([], tf.int32))
    return s._from_components(s._to_components(o)).get_value()


def case_branches(tf):
    p, o = tf.placeholder(tf.bool, []), tf.data.experimental.Optional
    made = tf.cond(p, lambda: o.from_value(3), lambda: o.none_from_structure(tf.TensorSpec([], tf.int32)))
    return Case([made.has_value()], feeds={p: False})
