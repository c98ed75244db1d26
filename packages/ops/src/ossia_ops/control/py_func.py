"""Python functions as ops: `py_func`, `numpy_function` and `py_function`."""

from __future__ import annotations

import itertools
import traceback
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np

from ossia_core.declare.opdef import OpDef, op, sample, steps
from ossia_core.differentiate.autodiff import gradients, is_trainable
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.graph import Graph
from ossia_core.graph.operation import Operation
from ossia_core.graph.stack import get_default_graph
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes, errors
from ossia_core.names.literals import byte_strings
from ossia_core.plugins.api_table import public
from ossia_ops.array import computed_tensors

_ATTRS = {"token": "string", "Tin": "list(type) >= 0", "Tout": "list(type) >= 0"}
py_func_op = op("PyFunc(input: Tin) -> output: Tout", stateful=True, **_ATTRS)
py_func_stateless_op = op("PyFuncStateless(input: Tin) -> output: Tout", **_ATTRS)
py_func_stateless_op.not_folded()
eager_py_func_op = op(
    "EagerPyFunc(input: Tin) -> output: Tout",
    stateful=True,
    token="string",
    is_async="bool = false",
    Tin=_ATTRS["Tin"],
    Tout=_ATTRS["Tout"],
)

_numbers = itertools.count()
_functions: weakref.WeakValueDictionary[bytes, Any] = weakref.WeakValueDictionary()


def _unknown_shapes(input: list, *, Tout: list) -> list:
    return [None] * len(Tout)


class _Function:
    """A Python function under its token; it lives as long as the graph whose nodes call it."""

    def __init__(self, function: Callable, graph: Graph) -> None:
        self.function = function
        self.token = f"pyfunc_{next(_numbers)}".encode()
        _functions[self.token] = self
        graph._scopes.setdefault("python functions", []).append(self)


def functions_held() -> int:
    """How many Python functions there are that nodes of living graphs call."""
    return len(_functions)


def _called(input: list, *, node: Operation) -> list:
    token = node.attrs["token"]
    held = _functions.get(token)
    if held is None:
        raise errors.InvalidArgumentError(None, None, f"callback {token.decode()} is not found")
    arguments = [np.asarray(x) for x in input]
    try:
        result = held.function(*[x.copy() if x.ndim else x[()] for x in arguments])
    except Exception as error:
        raise _as_op_error(error) from error
    return _outputs(result, node.attrs["Tout"], token.decode())


def _as_op_error(error: Exception) -> errors.OpError:
    called_here = error.__traceback__
    trace = traceback.format_exception(type(error), error, called_here and called_here.tb_next or called_here)
    text = f"{type(error).__name__}: {error}\n" + "\n".join(trace) + "\n"
    for kinds, made in (
        (StopIteration, errors.OutOfRangeError),
        ((ValueError, TypeError), errors.InvalidArgumentError),
        (MemoryError, errors.ResourceExhaustedError),
        (NotImplementedError, errors.UnimplementedError),
    ):
        if isinstance(error, kinds):
            return made(None, None, text)
    return errors.UnknownError(None, None, text)


def _outputs(result: Any, kinds: list, token: str) -> list:
    """The arrays that a function returned, checked against the dtypes that it was declared with."""
    values = [] if result is None else list(result) if isinstance(result, (list, tuple)) else [result]
    if len(values) != len(kinds):
        raise errors.InvalidArgumentError(
            None, None, f"{token} returns {len(values)} values, but expects to see {len(kinds)} values."
        )
    return [_output(i, value, kind, token) for i, (value, kind) in enumerate(zip(values, kinds))]


def _output(i: int, value: Any, kind: Any, token: str) -> np.ndarray:
    if isinstance(value, Tensor):
        raise errors.InvalidArgumentError(
            None, None, f"{i}-th value returned by {token} is a tensor of a graph; a function must return values"
        )
    try:
        array = np.array(value)
        if array.dtype.kind == "S" and not isinstance(value, (np.ndarray, np.generic)):
            array = np.array(value, object)  # arrays of bytes drop the zeros at their ends
    except ValueError as error:
        raise errors.InvalidArgumentError(
            None, None, f"{i}-th value returned by {token} is no array: {error}"
        ) from None
    if array.dtype.kind in "SUO":
        try:
            array = byte_strings(array, array)
        except TypeError:
            item = next(x for x in array.reshape(-1) if not isinstance(x, (str, bytes)))
            raise errors.InternalError(None, None, f"Unsupported object type {type(item).__name__}") from None
        found = dtypes.string
    else:
        found = dtypes.as_dtype(array.dtype)
    if found is not kind:
        raise errors.InvalidArgumentError(
            None,
            None,
            f"{i}-th value returned by {token} is {dtypes.engine_name(found)}, but expects {dtypes.engine_name(kind)}",
        )
    return array


for _definition in (py_func_op, py_func_stateless_op, eager_py_func_op):
    _definition.shape(_unknown_shapes)
    _definition.kernel(_called, blocking=2)
py_func_op.not_differentiable()
py_func_stateless_op.not_differentiable()


class _Built:
    """A function that makes tensors, called with values: what it makes is built in a graph of its own, and run there.

    Args:
      function: the function.
      kinds: dtypes of its results.
    """

    def __init__(self, function: Callable, kinds: list) -> None:
        self.function, self.kinds = function, kinds

    def results(self, tensors: list) -> list:
        """What the function makes of tensors, as tensors of the dtypes declared."""
        found = self.function(*tensors)
        found = [] if found is None else list(found) if isinstance(found, (list, tuple)) else [found]
        # More results than declared are left out, as in the original; too few are counted by the op.
        return [convert_to_tensor(value, kind) for value, kind in zip(found, self.kinds)]

    def __call__(self, *values: Any) -> list:
        with computed_tensors.CallGraph().as_default() as graph:
            return graph.values(self.results([graph.holder(value) for value in values]))


def _twice(definition: OpDef) -> Any:
    """Calls a function that is made with the graph: no other process can run the graph."""
    def called(given: Any) -> Any:
        held = _Function(lambda value: value + value, get_default_graph())
        yield definition([given(np.array([1.5, -2], np.float32))], token=held.token, Tout=[dtypes.float32])
        yield definition([given(np.int64(7))], token=held.token, Tout=[dtypes.int64])
    return steps(called)


for _definition in (py_func_op, py_func_stateless_op, eager_py_func_op):
    _definition.samples(
        twice=_twice(_definition),
        refused_token=sample([np.array([1], np.int32)], token="no_such_function", Tout=[dtypes.int32]),
    )


@eager_py_func_op.gradient
def _(node, *grads):
    built: _Built = _functions[node.attrs["token"]].function
    inputs, count = list(node.inputs), len(grads)
    wanted = [i for i, x in enumerate(inputs) if is_trainable(x)]

    def gradient(*tensors: Tensor) -> list:
        xs = list(tensors[count:])
        found = gradients(built.results(xs), [xs[i] for i in wanted], list(tensors[:count]))
        return [0.0 if grad is None else grad for grad in found]

    kinds = [inputs[i].dtype.base_dtype for i in wanted]
    held = _Function(_Built(gradient, kinds), node.graph)
    found = dict(zip(wanted, eager_py_func_op([*grads, *inputs], token=held.token, Tout=kinds)))
    return [found.get(i) for i in range(len(inputs))]


def _call(definition: OpDef, func: Callable, inp: Any, kinds: Any, name: str | None) -> Any:
    if not callable(func):
        raise ValueError(f"Expected func to be callable, got func of type {type(func)}")
    several = isinstance(kinds, (list, tuple))
    found = list(kinds) if several else [kinds]
    if definition is eager_py_func_op:
        func = _Built(func, [dtypes.as_dtype(kind) for kind in found])
    held = _Function(func, get_default_graph())
    result = definition(inp, token=held.token, Tout=found, name=name)
    return result if several or isinstance(result, Operation) else result[0]


@public("py_func")
def py_func(func: Callable, inp: Any, Tout: Any, stateful: bool = True, name: str | None = None) -> Any:
    """The result of a Python function on the values of tensors.

    Args:
      func: takes arrays (scalars for tensors of rank 0, bytes for strings), returns an array or a list of arrays of the
          dtypes `Tout`.
      inp: list of tensors.
      Tout: a dtype, or a list or tuple of dtypes; an empty one for a function that returns nothing.
      stateful: whether two calls with the same arguments may return different values.
      name: name of the node.

    Returns:
      A tensor, or a list of tensors if `Tout` is a list or tuple; the operation if it is empty.

    Raises:
      ValueError: `func` is not callable. An exception in it ends the run with an error of `tf.errors`.
    """
    return _call(py_func_op if stateful else py_func_stateless_op, func, inp, Tout, name)


@public("numpy_function")
def numpy_function(func: Callable, inp: Any, Tout: Any, name: str | None = None) -> Any:
    """As `py_func`, for functions that may return different values for the same arguments."""
    return _call(py_func_op, func, inp, Tout, name)


@public("py_function")
def py_function(func: Callable, inp: Any, Tout: Any, name: str | None = None) -> Any:
    """The result of a Python function that makes tensors of tensors, called anew in every run.

    What `func` makes is built in a graph of its own, in which tensors have values: `numpy()` tells them, and tensors
    may stand where Python or NumPy take numbers. Gradients flow through what is made of tensors.

    Args:
      func: takes tensors, returns a tensor or a list of tensors or arrays of the dtypes `Tout`.
      inp: list of tensors.
      Tout: a dtype, or a list or tuple of dtypes.
      name: name of the node.
    """
    return _call(eager_py_func_op, func, inp, Tout, name)
