"""Golden cases from tables of short programs: every expression statement of a program is a fetch."""
import ast
import zlib

import numpy as np
from golden_case import Case, raises


def program(text, graph_only=False, **options):
    """A case function that runs the statements of `text`.

    Names at hand: `tf`, `np`, `raises`, `G` (tf.gradients), `P(2, None, dt=..., value=...)`, a placeholder that is fed
    with `value` or random numbers (None: 2), and `U`, the same with an unknown static shape.
    """
    module = ast.parse(text)
    for index, node in enumerate(module.body):
        if isinstance(node, ast.Expr):
            call = ast.parse("_out.append(None)").body[0]
            call.value.args[0] = node.value
            module.body[index] = call
    code = compile(ast.fix_missing_locations(module), "<case>", "exec")

    def case(tf):
        state = np.random.RandomState(zlib.crc32(text.encode()) % 2 ** 31)
        feeds, out = {}, []

        def fed(static, dims, dt, value):
            dtype = tf.as_dtype(dt)
            placeholder = tf.placeholder(dtype, static)
            if value is None:
                dims = [2 if d is None else d for d in dims]
                if dtype.is_floating:
                    value = np.round(state.uniform(-2, 2, dims), 2)
                elif dtype.is_complex:
                    value = np.round(state.uniform(-2, 2, dims), 2) + 1j * np.round(state.uniform(-2, 2, dims), 2)
                elif dtype == tf.bool:
                    value = state.rand(*dims) > 0.5
                elif dtype == tf.string:
                    value = np.array([b"a", b"bc", b""], object)[state.randint(0, 3, dims)]
                else:
                    value = state.randint(0, 5, dims)
            feeds[placeholder] = np.asarray(value, object if dtype == tf.string else dtype.as_numpy_dtype)
            return placeholder

        def P(*dims, **keywords):
            return fed(list(dims), dims, keywords.get("dt", "float32"), keywords.get("value"))

        def U(*dims, **keywords):
            return fed(None, dims, keywords.get("dt", "float32"), keywords.get("value"))

        space = {"tf": tf, "np": np, "raises": raises, "G": tf.gradients, "P": P, "U": U, "_out": out, "R": tf.raw_ops}
        exec(code, space)
        return Case(out, feeds=feeds, graph_only=graph_only, **options)
    return case


def table(namespace, prefix, programs, **options):
    """Add a case for each program, `(name, text)` or text, to the namespace of a case module."""
    for index, text in enumerate(programs):
        name, text = text if isinstance(text, tuple) else ("%s_%02d" % (prefix, index), text)
        namespace["case_" + name] = program(text, **options)
