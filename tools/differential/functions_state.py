"""Random calls of what makes, fills and changes variables."""

from __future__ import annotations

import numpy as np
from draw import (
    FLOATS,
    INDEX,
    INTEGERS,
    array,
    call,
    chance,
    code,
    constant,
    family,
    fed,
    made,
    maybe,
    method,
    shape,
    tensor,
    variable,
)
from values import record

NUMBERS = [*FLOATS, *INTEGERS, "complex64"]
SCATTERS = """scatter_update scatter_add scatter_sub scatter_mul scatter_div scatter_min scatter_max""".split()
INITIALIZERS = """zeros ones constant random_uniform random_normal truncated_normal uniform_unit_scaling
variance_scaling orthogonal identity glorot_uniform glorot_normal lecun_normal lecun_uniform he_normal
he_uniform""".split()


@family("assign")
def _():
    dtype_ = chance.choice(NUMBERS)
    s = shape(0, 3)
    other = s if chance.random() < 0.85 else shape(0, 2)
    target = variable(dtype_, s, "benign")
    value = tensor(dtype_, other, "benign") if chance.random() < 0.7 else {"np": record(array(dtype_, other), dtype_)}
    name = chance.choice(["assign", "assign_add", "assign_sub"])
    kind = chance.randint(0, 5)
    if kind == 0:
        return method(name, target, value, **maybe(0.3, use_locking=True), **maybe(0.3, read_value=False))
    if kind == 1:
        return call("count_up_to", variable(chance.choice(INDEX), [], "benign"), chance.choice([0, 5, 100]))
    if kind == 2:
        return call(chance.choice(["is_variable_initialized", "get_static_value", "identity"]), target)
    if kind == 3:
        return method(
            chance.choice(["value", "read_value", "initialized_value", "get_shape", "to_proto", "eval"]), target, g=0
        )
    return call(
        name,
        target,
        value,
        **maybe(0.3, use_locking=True),
        **maybe(0.2 if name == "assign" else 0, validate_shape=False),
    )


@family("scatter")
def _():
    dtype_ = chance.choice(NUMBERS)
    s = [chance.choice([1, 3, 4]), *shape(0, 2)]
    target = variable(dtype_, s, "benign")
    places = shape(0, 2)
    count = int(np.prod(places))
    ids = np.array([chance.randint(0, s[0] - 1 + (chance.random() < 0.03)) for _ in range(count)]).reshape(places)
    rest = s[1:] if chance.random() < 0.9 else shape(0, 2)
    updates = tensor(dtype_, [*places, *rest] if chance.random() < 0.85 else [], "benign")
    kind = chance.randint(0, 4)
    if kind == 0:
        return method(
            chance.choice(["scatter_add", "scatter_sub", "scatter_update", "batch_scatter_update", "scatter_max"]),
            target,
            {"call": {"call": "IndexedSlices", "args": [updates, fed(ids, chance.choice(INDEX))]}},
            **maybe(0.3, use_locking=True),
            g=0,
        )
    if kind == 1:
        depth = chance.randint(0, len(s))
        rows = np.array([[chance.randint(0, max(n - 1, 0)) for n in s[:depth]] for _ in range(2)]).reshape(2, depth)
        return call(
            "scatter_nd_" + chance.choice(["update", "add", "sub"]),
            target,
            fed(rows, chance.choice(INDEX)),
            tensor(dtype_, [2, *s[depth:]], "benign"),
            **maybe(0.3, use_locking=True),
        )
    if kind == 2:
        return call("batch_scatter_update", target, fed(ids, chance.choice(INDEX)), updates)
    return call(
        chance.choice(SCATTERS), target, fed(ids, chance.choice(INDEX)), updates, **maybe(0.3, use_locking=True)
    )


@family("get_variable")
def _():
    dtype_ = chance.choice(["float32", "float32", "float64", "float16", "int32", "int64", "bool", "string"])
    s = shape(0, 3)
    initial = chance.choice(
        [
            {},
            {"initializer": tensor(dtype_, s, p="const")},
            {"initializer": {"np": record(array(dtype_, s), dtype_)}},
            {"initializer": {"fn": "zeros_initializer"}},
            {"initializer": made("initializers." + chance.choice(INITIALIZERS))},
            {"initializer": code("lambda shape, dtype, partition_info: tf.ones(shape, dtype)")},
            {"initializer": chance.choice([1.0, 2, True, {"py": [1.0, 2.0]}])},
        ]
    )
    options = {
        **maybe(
            0.15 if "np" in str(initial)[:24] or "'t'" in str(initial)[:24] else 0.9,
            shape=lambda: chance.choice([s, {"shape": s}, {"tuple": s}, [*s, None]]),
        ),
        **maybe(0.5, dtype=lambda: {"dtype": dtype_}),
        **initial,
        **maybe(0.3, trainable=lambda: chance.random() < 0.5),
        **maybe(0.3, use_resource=lambda: chance.random() < 0.5),
        **maybe(0.15, collections=lambda: [["mine"], []][chance.random() < 0.5]),
        **maybe(0.15, regularizer=code("lambda x: tf.reduce_sum(tf.cast(x, tf.float32))")),
        **maybe(0.15, constraint=code("tf.identity")),
        **maybe(0.15, synchronization=code("tf.VariableSynchronization.ON_READ")),
        **maybe(0.15, aggregation=code("tf.VariableAggregation.SUM")),
    }
    if chance.random() < 0.3:
        options["partitioner"] = chance.choice(
            [
                made(
                    "fixed_size_partitioner", chance.choice([1, 2, 3]), **maybe(0.5, axis=lambda: chance.choice([0, 1]))
                ),
                made("variable_axis_size_partitioner", chance.choice([4, 16, 64]), **maybe(0.4, axis=1)),
                made("min_max_variable_partitioner", chance.choice([1, 2, 4]), min_slice_size=chance.choice([4, 16])),
            ]
        )
    name = chance.choice(["v", "a/b", "v:0", "", "_v", "x.y"]) if chance.random() < 0.3 else "v"
    found = call(chance.choice(["get_variable"] * 4 + ["get_local_variable"]), name, **options)
    return {**found, "collections": True}


@family("initializers")
def _():
    name = chance.choice(INITIALIZERS)
    dtype_ = chance.choice(["float32", "float32", "float64", "float16", "int32", "int64", "bool", "bfloat16"])
    number = lambda: chance.choice([0.0, 0.5, 1.0, -1.0, 2])
    options: dict = {
        "zeros": dict,
        "ones": dict,
        "constant": lambda: {
            **maybe(
                0.8, value=lambda: chance.choice([0, 1.5, True, [1, 2, 3], {"py": [[1.0], [2.0]]}, [], {"b": "a"}])
            ),
            **maybe(0.3, verify_shape=lambda: chance.random() < 0.5),
        },
        "random_uniform": lambda: {**maybe(0.5, minval=number), **maybe(0.5, maxval=number)},
        "random_normal": lambda: {**maybe(0.5, mean=number), **maybe(0.5, stddev=number)},
        "truncated_normal": lambda: {**maybe(0.5, mean=number), **maybe(0.5, stddev=number)},
        "uniform_unit_scaling": lambda: maybe(0.5, factor=number),
        "variance_scaling": lambda: {
            **maybe(0.5, scale=number),
            **maybe(0.5, mode=lambda: chance.choice(["fan_in", "fan_out", "fan_avg", "bad"])),
            **maybe(
                0.5,
                distribution=lambda: chance.choice(
                    ["normal", "uniform", "truncated_normal", "untruncated_normal", "x"]
                ),
            ),
        },
        "orthogonal": lambda: maybe(0.5, gain=number),
        "identity": lambda: maybe(0.5, gain=number),
    }.get(name, dict)()
    if name not in ("zeros", "ones", "constant", "identity"):
        options.update(maybe(0.6, seed=lambda: chance.choice([0, 1, 7])))
    if not name.startswith(("he_", "lecun_")):
        options.update(maybe(0.4, dtype=lambda: {"dtype": dtype_}))
    low, high = (2, 2) if name == "identity" and chance.random() < 0.9 else (0, 4)
    s = shape(low, high)
    asked = chance.choice([s, s, {"shape": s}, {"tuple": s}, constant(s, "int32") if s else s])
    return method(
        "__call__", made("initializers." + name, **options), asked, **maybe(0.4, dtype=lambda: {"dtype": dtype_}), g=0
    )
