"""Modules, and the specifications of tensors' types."""
import numpy as np
from golden_case import raises


def case_module(tf):
    class Inner(tf.Module):
        def __init__(self):
            super(Inner, self).__init__()
            self.b = tf.Variable(3.0, name="b")
            self.other = tf.Module(name="deep")

    class MyModule(tf.Module):
        def __init__(self, name=None):
            super(MyModule, self).__init__(name=name)
            self.w = tf.Variable(1.0, name="w")
            self.parts = [tf.Variable(2.0, trainable=False, name="c"), Inner(), {"z": tf.Module(name="zz")}]

        @tf.Module.with_name_scope
        def __call__(self, x):
            return x * self.w

    m = MyModule()
    y, z = m(tf.constant(3.0)), m(tf.constant(4.0))
    return [y, z, m.name, m.name_scope.name, [v.name for v in m.variables], [v.name for v in m.trainable_variables],
            [s.name for s in m.submodules], MyModule(name="other").name_scope.name]


def case_module_errors(tf):
    return [raises(tf.Module, "a b"), raises(tf.Module, "1x"), tf.Module("ok_1").name]


# -- type specs -------------------------------------------------------------------------------------------------


def _try(function):
    try:
        return str(function())
    except (TypeError, ValueError) as error:
        return type(error).__name__


def case_tensor_spec(tf):
    a, b = tf.TensorSpec([None, 2], tf.float32, "n"), tf.TensorSpec([3, 2])
    return [
        str(a), repr(b), a == b, a == tf.TensorSpec([None, 2], tf.float32, "n"), a != b, a == 3,
        hash(a) == hash(tf.TensorSpec([None, 2], tf.float32, "n")), a.is_compatible_with(b), b.is_compatible_with(a),
        a.is_compatible_with(tf.zeros([4, 2])), a.is_compatible_with(tf.zeros([4, 3])), a.is_compatible_with(3),
        a.is_compatible_with(np.zeros([3, 2], np.float32)), str(a.most_specific_compatible_type(b)),
        str(tf.TensorSpec.from_spec(b, "q")), str(tf.TensorSpec.from_spec(a)),
        str(tf.TensorSpec.from_tensor(tf.constant([1.0], name="cc"))), a.value_type.__name__, str(a.shape),
        a.dtype.name, a.name,
        _try(lambda: tf.TensorSpec("x")), _try(lambda: tf.TensorSpec([1], "foo")), _try(lambda: tf.TypeSpec()),
        _try(lambda: a.most_specific_compatible_type(tf.TensorSpec([1, 2], tf.int32))),
        _try(lambda: tf.TensorSpec([2]).most_specific_compatible_type(tf.TensorSpec([2, 3]))),
        _try(lambda: tf.TensorSpec([2]).most_specific_compatible_type(tf.TensorSpec([3]))),
        _try(lambda: a.most_specific_compatible_type(tf.SparseTensorSpec([2]))),
        _try(lambda: tf.TensorSpec.from_tensor(3)),
    ]


def case_sparse_tensor_spec(tf):
    s = tf.SparseTensorSpec([None, 3], tf.int32)
    value = tf.SparseTensor([[0, 0]], [1], [4, 3])
    return [
        str(s.shape), s.dtype.name, s.value_type.__name__, s == tf.SparseTensorSpec([None, 3], tf.int32),
        s.is_compatible_with(value), s.is_compatible_with(tf.SparseTensorSpec([2, 3], tf.int32)),
        s.is_compatible_with(tf.SparseTensorSpec([2, 4], tf.int32)), s.is_compatible_with(3),
        str(s.most_specific_compatible_type(tf.SparseTensorSpec([2, 4], tf.int32)).shape),
        str(tf.SparseTensorSpec.from_value(value).shape), _try(lambda: tf.SparseTensorSpec.from_value(3)),
        _try(lambda: s.most_specific_compatible_type(tf.SparseTensorSpec([2, 4], tf.float32))),
    ]


def case_other_specs(tf):
    i = tf.IndexedSlicesSpec([None, 3])
    t = tf.TensorArraySpec([3], tf.float32, True)
    return [
        i.value_type.__name__, i == tf.IndexedSlicesSpec([None, 3]),
        i.is_compatible_with(tf.IndexedSlices(tf.zeros([1, 3]), tf.constant([0], tf.int64))),
        i.is_compatible_with(tf.IndexedSlices(tf.zeros([1, 3]), tf.constant([0], tf.int32))),
        t.value_type.__name__, t == tf.TensorArraySpec([3], tf.float32, True),
        t == tf.TensorArraySpec.from_value(tf.TensorArray(tf.float32, 3)),
        _try(lambda: tf.TensorArraySpec.from_value(3)),
    ]
