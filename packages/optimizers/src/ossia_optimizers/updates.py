"""Update ops of optimizers: from one in-place formula, the dense and sparse ops on both kinds of variables."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, NoReturn

import numpy as np

from ossia_core.declare.opdef import OpDef, op
from ossia_core.declare.shape_rules import merge, merge_dim, with_rank, with_rank_at_least
from ossia_core.names.errors import InternalError, InvalidArgumentError, dims_text
from ossia_core.names.shapes import TensorShape
from ossia_core.primitives.state import writable
from ossia_core.primitives.variable_ops import NUMBERS, checked_handle_shape
from ossia_ops.state.row_updates import rounds, set_rows
from ossia_optimizers.passes import noted, run_in_blocks

BLOCK = 1 << 17  # bytes of each array that a formula which cannot be noted updates at a time
CACHE = 3 << 19  # bytes of all arrays and temporaries of a noted formula's block
LONG = 1 << 16  # elements from which it pays to note the formula first
EXAMPLES: list[tuple[OpDef, dict[str, Any]]] = []  # of scalar inputs, for the tables of samples
_GRADIENTS = ("grad", "delta")
NO_RANGES: Mapping[str, str] = MappingProxyType({})
_IN_RANGE = {"positive": lambda x: x > 0, "non-negative": lambda x: x >= 0, "non-positive": lambda x: x <= 0}
_TITLES = {
    "l1": "l1 regularization strength",
    "l2": "l2 regularization strength",
    "l2_shrinkage": "l2 shrinkage regularization strength",
}  # of inputs in errors

Formula = Callable[..., None]


class Updates(NamedTuple):
    """The ops of one formula; None where the original has none."""

    dense: OpDef
    resource_dense: OpDef
    sparse: OpDef
    resource_sparse: OpDef

    def samples(self, **values: Any) -> None:
        """Sample calls for the ops' tables.

        Args:
          **values: by name, an example of each scalar input; or a dict of attributes, its name the reason to try them.
        """
        for definition in self:
            if definition is not None:
                EXAMPLES.append((definition, values))
                definition.samples_in("ossia_optimizers.update_samples")


def update_ops(
    kind: str,
    inputs: str,
    *,
    forms: str = "dense resource_dense sparse resource_sparse",
    rows: Formula | None = None,
    ranges: Mapping[str, str] = NO_RANGES,
    looked_up: bool = False,
    whole_rows: bool = False,
    **attrs: str,
) -> Callable[[Formula], Updates]:
    """Declare the ops `Apply<kind>`, `ResourceApply<kind>`, `SparseApply<kind>` and `ResourceSparseApply<kind>`.

    Args:
      kind: the optimizer's name in op names.
      inputs: names of the inputs after the variables, in the order of the dense op; `grad` or `delta` is the gradient.
      forms: which of the four ops there are.
      rows: the formula for the sparse ops, where it is another one.
      ranges: input -> "positive", "non-negative" or "non-positive"; other values are refused.
      looked_up: whether a resource variable that is not initialised counts as one that does not exist.
      whole_rows: whether the sparse ops refuse variables whose rows are empty.
      **attrs: specifications of further attributes.

    Returns:
      A decorator for the formula: a function of the variables' buffers, which it changes in place, and the inputs (the
      gradient an array, the others scalars); attributes are its keyword-only arguments. It sees blocks of flat arrays.
    """

    def declare(formula: Formula) -> Updates:
        parameters = inspect.signature(formula).parameters.values()
        names = [p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
        state = names[: len(names) - len(inputs.split())]
        made = [
            _declare(kind, form, state, inputs.split(), formula, rows, ranges, looked_up, whole_rows, attrs)
            if form in forms.split()
            else None
            for form in Updates._fields
        ]
        return Updates(*made)  # type: ignore[arg-type]

    return declare


def _declare(
    kind: str,
    form: str,
    state: list[str],
    inputs: list[str],
    formula: Formula,
    row_formula: Formula | None,
    ranges: Mapping[str, str],
    looked_up: bool,
    whole_rows: bool,
    attrs: dict[str, str],
) -> OpDef:
    by_handle, sparse = form.startswith("resource"), form.endswith("sparse")
    position = next(i for i, name in enumerate(inputs) if name in _GRADIENTS)
    arguments = [f"{name}: {'resource' if by_handle else 'Ref(T)'}" for name in state]
    for name in inputs:
        if sparse and name in _GRADIENTS:
            arguments += ["grad: T", "indices: Tindices"]
        else:
            arguments.append(f"{name}: {'int64' if name == 'global_step' else 'T'}")
    name = f"{'Resource' if by_handle else ''}{'Sparse' if sparse else ''}Apply{kind}"
    signature = f"{name}({', '.join(arguments)})" + ("" if by_handle else " -> out: Ref(T)")
    index_types = {"Tindices": "{int32, int64}"} if sparse else {}
    definition = op(signature, stateful=by_handle, T=NUMBERS, **index_types, use_locking="bool = false", **attrs)
    definition.module = formula.__module__
    definition.updates(*state)
    count = len(state)
    applied = row_formula if sparse and row_formula is not None else formula

    if by_handle:

        @definition.shape
        def _(*args, T):
            return _check([checked_handle_shape(handle, T) for handle in args[:count]], args[count:], position, sparse)
    else:

        @definition.shape
        def _(*args):
            return _check([variable.shape for variable in args[:count]], args[count:], position, sparse)

    names = [p.name for p in inspect.signature(formula).parameters.values() if p.kind is p.KEYWORD_ONLY]

    @definition.kernel_for(alias=True)
    def _(node):
        options = {name: node.attrs[name] for name in names}
        apply = _apply_rows if sparse else _apply_all
        buffer_of = (writable if looked_up else _handle_buffer) if by_handle else _buffer
        dtype = node.attrs["T"]

        def kernel(*args):
            variables = args[:count]
            with variables[0].lock:
                buffers = [buffer_of(variable, dtype) for variable in variables]
                if sparse and whole_rows and 0 in buffers[0].shape[1:]:
                    refuse("Inner dimension should be greater than zero.")
                apply(applied, state, buffers, inputs, args[count:], position, ranges, options)
            return () if by_handle else variables[0]

        return kernel

    return definition


def _buffer(state: Any, dtype: Any) -> np.ndarray:
    return state.read()


def _handle_buffer(state: Any, dtype: Any) -> np.ndarray:
    if state.value is None:
        raise InternalError(None, None, "Invalid variable reference.")
    return writable(state, dtype)


def _check(states: list[TensorShape], rest: tuple, position: int, sparse: bool) -> TensorShape:
    """The shape of the variable; ValueError unless all shapes fit."""
    whole = states[0]
    for other in states[1:]:
        whole = merge(whole, other)
    gradient = rest[position].shape
    if sparse:
        rows = with_rank(rest[position + 1], 1)
        gradient = with_rank_at_least(gradient, 1)
        if gradient.ndims is not None:
            merge_dim(rows[0].value, gradient[0].value)
            merge(whole, TensorShape([None]).concatenate(gradient[1:]))
    else:
        whole = merge(whole, gradient)
    for i, value in enumerate(rest):
        if i != position and not (sparse and i == position + 1):
            with_rank(value, 0)
    return whole


def _scalars(inputs: list[str], values: list[Any], position: int, ranges: Mapping[str, str]) -> list[Any]:
    """The inputs with all but the gradient as scalars."""
    found = []
    for i, (name, value) in enumerate(zip(inputs, values)):
        if i != position:
            wanted = ranges.get(name)
            if np.ndim(value):
                kind = f"{wanted} scalar" if wanted else "scalar"
                refuse(f"{_TITLES.get(name, name)} is not a {kind}: {dims_text(np.shape(value))}")
            value = value[()]
            if wanted is not None and not _IN_RANGE[wanted](value):
                refuse(f"{_TITLES.get(name, name)} is not a {wanted} scalar: []")
        found.append(value)
    return found


def refuse(text: str) -> NoReturn:
    """Raise the error for an input that does not fit."""
    raise InvalidArgumentError(None, None, text)


def _check_states(state: list[str], buffers: list[np.ndarray]) -> None:
    for name, buffer in zip(state[1:], buffers[1:]):
        if buffer.shape != buffers[0].shape:
            refuse(
                f"{state[0]} and {name} do not have the same shape{dims_text(buffers[0].shape)} "
                f"{dims_text(buffer.shape)}"
            )


def _apply_all(
    formula: Formula,
    state: list[str],
    buffers: list[np.ndarray],
    inputs: list[str],
    values: tuple,
    position: int,
    ranges: Mapping[str, str],
    options: dict[str, Any],
) -> None:
    _check_states(state, buffers)
    gradient = values[position]
    if np.shape(gradient) != buffers[0].shape:
        refuse(
            f"{state[0]} and {inputs[position]} do not have the same shape{dims_text(buffers[0].shape)} "
            f"{dims_text(np.shape(gradient))}"
        )
    values = _scalars(inputs, list(values), position, ranges)  # type: ignore[assignment]
    _in_blocks(formula, [b.reshape(-1) for b in buffers], np.ravel(gradient), values, position, options)  # type: ignore[arg-type]


def _in_blocks(
    formula: Formula,
    flat: list[np.ndarray],
    gradient: np.ndarray,
    values: list[Any],
    position: int,
    options: dict[str, Any],
) -> None:
    size, block = gradient.size, max(1, BLOCK // gradient.dtype.itemsize)
    if size <= block:
        values[position] = gradient
        formula(*flat, *values, **options)
        return
    if size >= LONG:
        arrays = [*flat, gradient]

        def example(examples: list[Any]) -> None:
            formula(*examples[:-1], *values[:position], examples[-1], *values[position + 1 :], **options)

        notes = noted(arrays, example)
        if notes is not None:
            run_in_blocks(notes, arrays, CACHE)
            return
    for start in range(0, size, block):
        part = slice(start, start + block)
        values[position] = gradient[part]
        formula(*[b[part] for b in flat], *values, **options)


def _apply_rows(
    formula: Formula,
    state: list[str],
    buffers: list[np.ndarray],
    inputs: list[str],
    values: tuple,
    position: int,
    ranges: Mapping[str, str],
    options: dict[str, Any],
) -> None:
    _check_states(state, buffers)
    whole = buffers[0].shape
    rest = list(values)
    gradient, rows = rest[position], rest.pop(position + 1)
    if not whole:
        refuse("var must be at least 1 dimensional")
    if np.ndim(rows) != 1:
        refuse("indices must be one-dimensional")
    if np.ndim(gradient) != len(whole) or np.shape(gradient)[1:] != whole[1:]:
        refuse(f"var and grad must match in dimension {min(1, len(whole) - 1)}")
    if gradient.shape[0] != rows.size:
        refuse("grad must be the same size as indices in the first dimension.")
    wrong = (rows < 0) | (rows >= whole[0])
    if wrong.any():
        offset = int(wrong.argmax())
        refuse(f"Index {rows[offset]} at offset {offset} in indices is out of range")
    rest = _scalars(inputs, rest, position, ranges)
    for chosen in rounds(rows):
        picked = rows[chosen]
        taken = [buffer.take(picked, axis=0) for buffer in buffers]
        _in_blocks(formula, [t.reshape(-1) for t in taken], gradient[chosen].reshape(-1), rest, position, options)
        for buffer, new in zip(buffers, taken):
            set_rows(buffer, picked, new)
