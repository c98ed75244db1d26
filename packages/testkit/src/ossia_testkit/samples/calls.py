"""Samples of the ops that call functions: calls, conditionals, loops, gradients of functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ossia_core.declare.opdef import Steps, lookup, steps
from ossia_core.graph.stack import get_default_graph

_X = np.array([1, -2], np.int32)


def _function(name: str, fn: Callable[..., Any], *arguments: str) -> Any:
    """Puts a function of float32 (or what `arguments` says) into the library, under that name; a reference to it."""
    from ossia_functions import library
    from ossia_functions.func_graph import FuncGraph
    from ossia_functions.function_def import function_def

    body = FuncGraph(name)
    with body.as_default():
        body.inputs = [body.placeholder(dtype, None, f"x{i}") for i, dtype in enumerate(arguments)]
        found = fn(*body.inputs)
        identity = lookup("Identity")
        body.outputs = [identity(t) for t in (found if isinstance(found, list) else [found])]
    library.add(get_default_graph(), library.Function(function_def(body, name), body))
    return library.reference(name)


def _reference(name: str) -> Any:
    from ossia_core.proto import NameAttrList

    return NameAttrList(name=name)


def _raw(name: str, **inputs: Any) -> Any:
    import ossia as tf

    return getattr(tf.raw_ops, name)(**inputs)


def _story(build: Callable[..., Any]) -> Steps:
    """One run of what `build` makes of inputs to be fed."""
    return steps(lambda given: iter([list(build(given))]))


def _branch(name: str, times: float) -> Any:
    return _function(name, lambda x: x * x * times, "int32")


# -- choices --------------------------------------------------------------------------------------------------


def _if(kind: str, cond: Any, **more: Any) -> Steps:
    return _story(
        lambda given: _raw(
            kind,
            cond=given(cond),
            input=[given(_X)],
            **{"Tout": ["int32"], "then_branch": _branch("doubled", 2), "else_branch": _branch("negated", -1), **more},
        )
    )


def _case(index: Any, count: int = 3) -> Steps:
    return _story(
        lambda given: _raw(
            "Case",
            branch_index=given(np.array(index, np.int32)),
            input=[given(_X)],
            Tout=["int32"],
            branches=[_branch(f"times_{i}", i + 1) for i in range(count)],
        )
    )


def _badly_branched(kind: str) -> Steps:
    """A branch takes two arguments and is given one."""
    return _story(
        lambda given: _raw(
            kind,
            cond=given(np.array(True)),
            input=[given(_X)],
            Tout=["int32"],
            else_branch=_branch("negated", -1),
            then_branch=_function("sum", lambda x, y: x + y, "int32", "int32"),
        )
    )


for _kind in ("If", "StatelessIf"):
    lookup(_kind).samples(
        yes=_if(_kind, np.array(True)),
        no=_if(_kind, np.array(False)),
        zero=_if(_kind, np.float32(0)),
        number=_if(_kind, np.int32(7)),
        text=_if(_kind, np.array(b"", object)),
        empty=_if(_kind, np.zeros(0, np.float32)),
        nonempty=_if(_kind, np.zeros(2, np.float32)),
        shaped=_if(_kind, np.array(True), output_shapes=[[2]]),
        refused_arguments=_badly_branched(_kind),
    )
lookup("Case").samples(
    first=_case(0), last=_case(2), beyond=_case(5), negative=_case(-1), one=_case(0, 1), refused_vector=_case([0, 1])
)


# -- loops ----------------------------------------------------------------------------------------------------


def _while(kind: str, limit: int = 100, cond: Any = None, body: Any = None, **more: Any) -> Steps:
    def loop(given: Any) -> Any:
        import ossia as tf

        again = _function("again", cond or (lambda i, x: i < 3), "int32", "int32")
        next_ = _function("next", body or (lambda i, x: [i + 1, tf.minimum(x * x + 1, limit)]), "int32", "int32")
        return _raw(kind, input=[tf.constant(0), given(_X)], cond=again, body=next_, **more)

    return _story(loop)


for _kind in ("While", "StatelessWhile"):
    lookup(_kind).samples(
        three=_while(_kind),
        none=_while(_kind, cond=lambda i, x: i < 0),
        shaped=_while(_kind, output_shapes=[[], [2]]),
        number=_while(_kind, cond=lambda i, x: 2 - i),
        refused_results=_while(_kind, body=lambda i, x: [i + 1]),
        refused_types=_while(_kind, body=lambda i, x: [x, i]),
        refused_cond=_while(_kind, cond=lambda i, x: [i < 1, i < 2]),
    )


# -- calls ----------------------------------------------------------------------------------------------------


def _call(kind: str, arguments: Any = (_X, _X), types: Any = ("int32", "int32"), name: str = "", **more: Any) -> Steps:
    def call(given: Any) -> Any:
        both = _function("both", lambda x, y: [x * y, x - y], "int32", "int32")
        return _raw(
            kind,
            args=[given(value) for value in arguments],
            Tout=list(types),
            f=_reference(name) if name else both,
            **more,
        )

    return _story(call)


def _keeping(kind: str) -> Steps:
    """A function that changes a variable."""

    def keeping() -> Any:
        import ossia as tf

        handle = tf.raw_ops.VarHandleOp(shape=[], dtype=tf.float32, shared_name="count")

        def count(x: Any) -> Any:
            inner = tf.raw_ops.VarHandleOp(shape=[], dtype=tf.float32, shared_name="count")
            with tf.control_dependencies([tf.raw_ops.AssignAddVariableOp(resource=inner, value=x)]):
                return tf.raw_ops.ReadVariableOp(resource=inner, dtype=tf.float32)

        added = _raw(kind, args=[tf.constant(2.0)], Tout=["float"], f=_function("count", count, "float32"))
        yield tf.raw_ops.AssignVariableOp(resource=handle, value=tf.constant(1.0))
        yield from (added, added)

    return steps(keeping)


for _kind in ("PartitionedCall", "StatefulPartitionedCall"):
    lookup(_kind).samples(
        both=_call(_kind),
        refused_name=_call(_kind, name="nothing"),
        refused_count=_call(_kind, arguments=[_X]),
        refused_type=_call(_kind, arguments=[_X, np.array([1, 2], np.float32)]),
        refused_results=_call(_kind, types=["int32"]),
    )
lookup("StatefulPartitionedCall").samples(keeping=_keeping("StatefulPartitionedCall"))
_HERE = {"target": "/job:localhost/replica:0/task:0/device:CPU:0"}
lookup("RemoteCall").samples(
    here=_call("RemoteCall", **_HERE), refused_name=_call("RemoteCall", name="nothing", **_HERE)
)


def _batch(values: Any, name: str = "", **options: Any) -> Steps:
    def batch(given: Any) -> Any:
        doubled = _function("doubled", lambda x: x * 2, "int32")
        return _raw(
            "BatchFunction",
            in_tensors=[given(value) for value in values],
            captured_tensors=[],
            Tout=["int32"],
            f=_reference(name) if name else doubled,
            **{"num_batch_threads": 1, "max_batch_size": 4, "batch_timeout_micros": 100, **options},
        )

    return _story(batch)


_BATCH = np.arange(4, dtype=np.int32).reshape(2, 2)
lookup("BatchFunction").samples(
    rows=_batch([_BATCH]),
    filled=_batch([_BATCH[:1]], allowed_batch_sizes=[2, 4]),
    refused_name=_batch([_BATCH], "nothing"),
    refused_threads=_batch([_BATCH], num_batch_threads=0),
    refused_most=_batch([_BATCH], max_batch_size=0),
    refused_timeout=_batch([_BATCH], batch_timeout_micros=-1),
    refused_order=_batch([_BATCH], allowed_batch_sizes=[4, 2]),
    refused_end=_batch([_BATCH], allowed_batch_sizes=[2, 3]),
    refused_scalar=_batch([np.int32(1)]),
    refused_large=_batch([np.arange(5, dtype=np.int32)]),
)


def _symbolic(arguments: int = 3, name: str = "", types: Any = ("float", "float")) -> Steps:
    def slope(given: Any) -> Any:
        product = _function("product", lambda x, y: x * y * y, "float32", "float32")
        return _raw(
            "SymbolicGradient",
            input=[given(np.float32(i + 1) * _X.astype(np.float32)) for i in range(arguments)],
            Tout=list(types),
            f=_reference(name) if name else product,
        )

    return _story(slope)


lookup("SymbolicGradient").samples(
    product=_symbolic(),
    refused_name=_symbolic(name="nothing"),
    refused_count=_symbolic(arguments=2),
    refused_results=_symbolic(types=["float"]),
)
lookup("FakeParam").samples(
    refused_dead=_story(
        lambda given: [lookup("Switch")(_raw("FakeParam", dtype="float", shape=[2]), given(np.array(True)))[0]]
    )
)


# -- numbers and slices ---------------------------------------------------------------------------------------


def _for(start: Any = 0, limit: Any = 4, delta: Any = 1, body: Any = None) -> Steps:
    def counting(given: Any) -> Any:
        step = _function("step", body or (lambda i, x: x * 2 + i), "int32", "int32")
        numbers = [given(np.array(value, np.int32)) for value in (start, limit, delta)]
        return _raw("For", start=numbers[0], limit=numbers[1], delta=numbers[2], input=[given(_X)], body=step)

    return _story(counting)


lookup("For").samples(
    up=_for(),
    by_three=_for(-2, 8, 3),
    down=_for(4, 0, -1),
    none=_for(4, 4),
    unchanged=_for(body=lambda i, x: x),
    refused_delta=_for(4, 0, 0),
    refused_direction=_for(4, 0),
    refused_vector=_for([0]),
    refused_results=_for(body=lambda i, x: [x, x]),
)


def _map(shapes: Any, arguments: Any = (_X,), captured: Any = 3, types: Any = ("int32", "int32"), **more: Any) -> Steps:
    def mapping(given: Any) -> Any:
        import ossia as tf

        both = _function("both", lambda x, y: [tf.stack([x, y]), x * y], "int32", "int32")
        return _raw(
            "MapDefun",
            arguments=[given(value) for value in arguments],
            captured_inputs=[] if captured is None else [given(np.array(captured, np.int32))],
            output_types=list(types),
            output_shapes=shapes,
            f=both,
            **more,
        )

    return _story(mapping)


lookup("MapDefun").samples(
    captured=_map([[2], []]),
    two=_map([[2], []], [_X, _X[::-1]], None, max_intra_op_parallelism=2),
    part=_map([[None], None]),
    empty=_map([[2], []], [_X[:0]]),
    refused_shape=_map([[3], []]),
    refused_types=_map([[2], []], types=["float", "int32"]),
    refused_results=_map([[2]], types=["int32"]),
    refused_arguments=_map([[2], []], captured=None),
)
