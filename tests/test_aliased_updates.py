"""Updates whose operands lie in the buffer of a variable that they change: every op that updates variables, each of its
variables as the gradient, as the indices and as a scalar, against the same values in variables of their own."""
from __future__ import annotations

import re

import numpy as np
import pytest

import ossia as tf
from ossia_core.declare.opdef import known_types, lookup
from ossia_core.names.dtypes import resource

_NAMES = (
    r"Assign((Add|Sub)?(VariableOp)?)|(Resource)?(Sparse)?Apply.*|"
    r"(Resource)?Scatter(Nd)?(Add|Sub|Mul|Div|Min|Max|Update)"
)
UPDATES = sorted(name for name in known_types() if re.fullmatch(_NAMES, name))
VALUES = ("grad", "delta", "updates", "value")
SCALARS = {"lr_power": -0.5, "epsilon": 0.01, "rho": 0.9, "momentum": 0.5, "beta1": 0.9, "beta2": 0.99}
FORMS = {
    "itself": lambda v: v,
    "read_value": lambda v: v.read_value(),
    "identity": tf.identity,
    "reshaped": lambda v: tf.reshape(tf.reshape(v, [-1]), v.shape),
}
SHAPES = [([4], ["itself", "reshaped"]), ([6, 3], ["identity"]), ([4, 600], ["read_value"])]


def is_variable(arg):
    return arg.is_ref or arg.type is resource


def inputs_of(name):
    """The names of an op's variables, and of its other inputs."""
    args = lookup(name).inputs
    return [a.name for a in args if is_variable(a)], [a.name for a in args if not is_variable(a)]


def update(name, shape, aliased, place, form, own):
    """The update of variables by a value that lies in the one at `place`, which the input `aliased` takes; by the value
    of another variable if `own`. The variables, and the update."""
    by_handle = any(a.type is resource for a in lookup(name).inputs)
    variables, others = inputs_of(name)
    integers = aliased == "indices"
    size = int(np.prod(shape))
    fills = [np.linspace(0.5, 2.0, size).reshape(shape) + k for k in range(len(variables))]
    if integers:
        fills = [np.random.RandomState(1).permutation(size).reshape(shape) for _ in variables]
    dtype = np.int32 if integers else np.float32
    made = [tf.Variable(fill.astype(dtype), use_resource=by_handle) for fill in fills]
    lent = tf.Variable(fills[place].astype(dtype), use_resource=by_handle) if own else made[place]
    args = {key: v.handle if by_handle else v for key, v in zip(variables, made, strict=True)}
    rows = np.array([2, 0, 3, 2, 1, 1], np.int32)[: shape[0]] % shape[0]
    for key in others:
        if key == aliased or (integers and key in VALUES):
            value = FORMS[form](lent)
            args[key] = tf.reshape(value, [-1, 1]) if key == "indices" and "Nd" in name else value
            args[key] = tf.reshape(value, []) if key not in (*VALUES, "indices") else args[key]
        elif key in VALUES:
            args[key] = tf.constant(np.full(shape, 0.3, dtype))
        elif key == "indices":
            args[key] = tf.constant(rows[:, None] if "Nd" in name else rows)
        else:
            args[key] = tf.constant(3, tf.int64) if key == "global_step" else tf.constant(SCALARS.get(key, 0.1))
    found = getattr(tf.raw_ops, name)(**args)
    return [*made, *([lent] if own else [])], found if isinstance(found, tf.Operation) else found.op


def combinations(name):
    variables, others = inputs_of(name)
    value = next(key for key in others if key in VALUES)
    for place in range(len(variables)):
        for shape, forms in SHAPES:
            for form in forms:
                yield shape, value, place, form
        if name not in ("Assign", "AssignVariableOp"):
            for key in others:
                if key not in (*VALUES, "indices", "global_step", "lr_power"):
                    yield [1], key, place, "itself"
    if "indices" in others and "Apply" not in name and "Div" not in name:  # one of the indices is 0
        yield [5], "indices", 0, "itself"


@pytest.mark.parametrize("backend", ["", "numpy"], ids=["c", "numpy"])
@pytest.mark.parametrize("name", UPDATES)
def test_values_are_those_of_before(name, backend, monkeypatch):
    if backend:
        monkeypatch.setenv("OSSIA_BACKEND", backend)
    with tf.Graph().as_default(), tf.Session() as session:
        pairs = [[update(name, *each, own) for own in (False, True)] for each in combinations(name)]
        session.run(tf.global_variables_initializer())
        session.run([op for pair in pairs for _, op in pair])
        count = len(inputs_of(name)[0])
        results = session.run([[variables[:count] for variables, _ in pair] for pair in pairs])
        for each, (aliased, copied) in zip(combinations(name), results, strict=True):
            np.testing.assert_array_equal(aliased, copied, str(each))


def test_all_updates_are_there():
    assert len(UPDATES) >= 80 and {"ScatterAdd", "SparseApplyAdagrad", "ResourceApplyAdam", "AssignSub"} <= set(UPDATES)


@pytest.mark.parametrize("by_handle", [False, True])
def test_a_value_from_another_region(by_handle):
    """The value has come out of one compiled region, and the update is part of another."""
    with tf.Graph().as_default(), tf.Session() as session:
        v = tf.Variable(np.arange(1, 9, dtype="f4"), use_resource=by_handle)
        between = tf.py_func(lambda x: np.int32(x.size), [v.read_value()], tf.int32)
        with tf.control_dependencies([between]):
            value = tf.reshape(tf.identity(v), [8])
        rows = tf.constant([7, 6, 5, 4, 3, 2, 1, 0]) + (between - between)
        changed = tf.scatter_add(v, rows, value)
        session.run(v.initializer)
        session.run(changed)
        np.testing.assert_array_equal(session.run(v), np.full(8, 9))


@pytest.mark.parametrize("by_handle", [False, True])
def test_values_through_chains(by_handle):
    """What an elementwise chain, a product or a transposition makes of the variable is computed of its value before."""
    start = np.linspace(-1, 1, 64 * 64, dtype="f4").reshape(64, 64)
    with tf.Graph().as_default(), tf.Session() as session:
        v = tf.Variable(start, use_resource=by_handle)
        values = {
            "scaled": (v * 2.0 + 1.0, start * 2 + 1),
            "transposed": (tf.transpose(v), start.T),
            "product": (tf.matmul(v, v, transpose_a=True), start.T @ start),
            "sums": (tf.zeros_like(v) + tf.reduce_sum(v, 0), np.zeros_like(start) + start.sum(0)),
            "reversed": (tf.reverse(v, [0]), start[::-1]),
        }
        for name, (value, expected) in values.items():
            descent = tf.train.GradientDescentOptimizer(1.0)
            for change in (tf.assign_sub(v, value), descent.apply_gradients([(value, v)])):
                session.run(v.initializer)
                session.run(change)
                np.testing.assert_allclose(session.run(v), start - expected, rtol=1e-4, atol=1e-4, err_msg=name)


@pytest.mark.parametrize("constraint", [tf.identity, lambda v: tf.clip_by_norm(v, 1e6)])
def test_a_value_from_before_another_update(constraint):
    """A constraint works on what the update before it has made of the variable, though the variable was read by
    reference before, for a computation in another region."""
    with tf.Graph().as_default(), tf.Session() as session:
        v = tf.Variable(np.zeros(3, "f4"), constraint=constraint)
        between = tf.py_func(lambda x: x, [v + tf.ones([4, 3])], tf.float32)
        between.set_shape([4, 3])
        update = tf.assign_sub(v, tf.reduce_sum(between, 0))
        with tf.control_dependencies([update]):
            constrained = tf.assign(v, v.constraint(v))
        session.run(v.initializer)
        session.run(constrained.op)
        np.testing.assert_array_equal(session.run(v), np.full(3, -4))
