"""Tensors that stay in a session between runs: session handles."""
from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from ossia_core.declare.opdef import op
from ossia_core.declare.shape_rules import scalar, with_rank
from ossia_core.graph.operation import Operation
from ossia_core.graph.scopes import colocate_with, device
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes, errors
from ossia_core.names.errors import dims_text
from ossia_core.names.shapes import UNKNOWN_SHAPE
from ossia_core.plugins.api_table import public
from ossia_core.primitives.source import placeholder

_DEVICE = "/job:localhost/replica:0/task:0/device:CPU:0"


class _Store:
    """The tensors that a session keeps, by handle."""

    def __init__(self) -> None:
        self.tensors: dict[bytes, Any] = {}
        self._numbers = itertools.count()

    def add(self, name: str, value: Any) -> bytes:
        handle = f"{name};{next(self._numbers)};{_DEVICE}".encode()
        self.tensors[handle] = np.array(value)
        return handle

    def get(self, handle: bytes) -> Any:
        if handle not in self.tensors:
            raise errors.InvalidArgumentError(
                None, None, f"The tensor with handle '{handle.decode(errors='replace')}' is not in the session store."
            )
        return self.tensors[handle]


def _store(state: Any) -> _Store:
    return state.node_state("/session_tensors", _Store)


get_session_handle_op = op("GetSessionHandle(value: T) -> handle: string", T="type", stateful=True)
get_session_handle_op.shape(scalar)


@get_session_handle_op.kernel
def _(value, *, node, context):
    return np.array(_store(context.session_state).add(node.name, value), object)


get_session_handle_v2_op = op("GetSessionHandleV2(value: T) -> handle: resource", T="type", stateful=True)
get_session_handle_v2_op.shape(scalar)
get_session_handle_v2_op.kernel(get_session_handle_op.kernel_fn)


get_session_tensor_op = op("GetSessionTensor(handle: string) -> value: dtype", dtype="type", stateful=True)


@get_session_tensor_op.shape
def _(handle):
    with_rank(handle, 0)
    return UNKNOWN_SHAPE


def _text(handle: Any) -> bytes:
    if np.ndim(handle):
        raise errors.InvalidArgumentError(None, None, f"A handle is a scalar, got shape {dims_text(np.shape(handle))}")
    return np.asarray(handle, object).item()


@get_session_tensor_op.kernel
def _(handle, *, context):
    return _store(context.session_state).get(_text(handle)).copy()


delete_session_tensor_op = op("DeleteSessionTensor(handle: string)", stateful=True)


@delete_session_tensor_op.shape
def _(handle):
    with_rank(handle, 0)
    return ()


@delete_session_tensor_op.kernel
def _(handle, *, context):
    store = _store(context.session_state)
    store.get(_text(handle))
    del store.tensors[_text(handle)]
    return ()


@get_session_handle_op.fetched
@get_session_handle_v2_op.fetched
def _(tensor, value, session):
    return TensorHandle(value, tensor.op._inputs[0].dtype.base_dtype, session)


for _definition in (get_session_handle_op, get_session_handle_v2_op, get_session_tensor_op, delete_session_tensor_op):
    _definition.not_differentiable()


class TensorHandle:
    """What a run returns for `get_session_handle`: a tensor that stays in the session until it is deleted or this
    object is."""

    def __init__(self, handle: bytes, dtype: dtypes.DType, session: Any) -> None:
        self._handle = handle.decode()
        self._dtype = dtype
        self._session = session
        self._store = _store(session.state)
        self._owned = True

    def __del__(self) -> None:
        if self._owned:
            self._store.tensors.pop(self._handle.encode(), None)

    def __str__(self) -> str:
        return self._handle

    @property
    def handle(self) -> str:
        """The text that stands for the tensor."""
        return self._handle

    def get_raw_handle(self) -> str:
        """The text that stands for the tensor, which from now on stays until it is deleted."""
        self._owned = False
        return self._handle

    def stored(self) -> Any:
        """The array itself."""
        return self._store.get(self._handle.encode())

    def eval(self) -> Any:
        """The value; TypeError if the handle was given away or deleted."""
        if not self._owned:
            raise TypeError(f"Persistent tensor {self._handle} may have already been deleted.")
        graph = self._session.graph
        made = graph._scopes.setdefault("session handle readers", {})
        if self._dtype not in made:
            with graph.as_default():
                made[self._dtype] = get_session_tensor(self._handle, self._dtype)
        holder, reader = made[self._dtype]
        return self._session.run(reader, {holder: self._handle})

    def to_numpy_array(self) -> np.ndarray:
        """The value as an array."""
        return np.asarray(self.eval())

    def delete(self) -> None:
        """Drop the tensor; TypeError if that happened before."""
        if not self._owned:
            raise TypeError(f"Persistent tensor {self._handle} may have already been deleted.")
        self._owned = False
        graph = self._session.graph
        made = graph._scopes.setdefault("session handle deleters", [])
        if not made:
            with graph.as_default():
                made.extend(delete_session_tensor(self._handle))
        holder, deleter = made
        self._session.run(deleter, {holder: self._handle})


@public("get_session_handle")
def get_session_handle(data: Any, name: str | None = None) -> Tensor:
    """A tensor that, when run, keeps `data` in the session; the run returns a TensorHandle.

    Raises:
      TypeError: `data` is no tensor.
    """
    if not isinstance(data, Tensor):
        raise TypeError("`data` must be of type Tensor.")
    with colocate_with(data):
        return get_session_handle_op(data, name=name)


def _placed(handle: Any) -> Any:
    return device(str(handle).rpartition(";")[2])


@public("get_session_tensor")
def get_session_tensor(handle: Any, dtype: Any, name: str | None = None) -> tuple[Tensor, Tensor]:
    """A placeholder for a handle, and the tensor that it stands for.

    Args:
      handle: a handle of the session; it says where the tensor is.
      dtype: dtype of the tensor.
      name: name of the node.
    """
    with _placed(handle):
        holder = placeholder(dtypes.string)
        return holder, get_session_tensor_op(holder, dtype=dtype, name=name)


@public("delete_session_tensor")
def delete_session_tensor(handle: Any, name: str | None = None) -> tuple[Tensor, Operation]:
    """A placeholder for a handle, and the operation that drops its tensor."""
    with _placed(handle):
        holder = placeholder(dtypes.string)
        return holder, delete_session_tensor_op(holder, name=name)


@get_session_handle_op.fetched
@get_session_handle_v2_op.fetched
def _(tensor, value, session):
    return TensorHandle(value, tensor.op._inputs[0].dtype.base_dtype, session)
