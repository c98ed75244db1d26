"""The mixed-precision rewrite: which nodes of a plan compute in half precision, and the casts around them.

Micikevicius et al. 2018, "Mixed precision training": products in half precision, sums and what is sensitive in float32,
weights and their updates in float32. Nodes are painted by the lists of `half_precision_lists`:

1. Nodes of DENY stay in float32, and so do INFER nodes that follow them, with the CLEAR nodes in between.
2. Nodes of ALLOW become half, and so do INFER and CLEAR nodes on ways from one ALLOW node to another.
3. CLEAR nodes beside half nodes become half, and casts whose readers all are.

All other nodes stay as they are. Where the two meet, a cast is put, one per tensor.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import Any

from ossia_core.graph.operation import Operation
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.plugins.api_table import provides
from ossia_core.session.compile.rewrites import Rewriting, input_args, output_args
from ossia_optimizers.half_precision_lists import op_lists

_FRAMES = frozenset(("Enter", "RefEnter", "Exit", "RefExit", "NextIteration", "RefNextIteration", "LoopCond"))
_BRANCHES = frozenset(("Switch", "Merge"))
_VARIABLES = frozenset(("Variable", "VariableV2", "TemporaryVariable"))
_CASTS = {dtypes.float16: "CastToFp16", dtypes.bfloat16: "CastToBf16", dtypes.float32: "CastToFp32"}


@provides("ossia_plan_rewrites", "auto_mixed_precision")
def as_original(rewriting: Rewriting) -> None:
    """The rewrite `auto_mixed_precision`: as in the original, it leaves CPUs alone.

    Unless `OSSIA_MIXED_PRECISION` names the type that CPUs are to compute in: float16 or bfloat16.

    Raises:
      InvalidArgumentError: `OSSIA_MIXED_PRECISION` names another type.
    """
    name = os.environ.get("OSSIA_MIXED_PRECISION", "")
    if name not in ("", "float16", "bfloat16"):
        raise InvalidArgumentError(None, None, f"OSSIA_MIXED_PRECISION must be float16 or bfloat16, not {name!r}")
    if name:
        _rewrite(rewriting, dtypes.as_dtype(name))


@provides("ossia_plan_rewrites", "auto_mixed_precision_cpu")
def in_float16(rewriting: Rewriting) -> None:
    """The rewrite `auto_mixed_precision_cpu`: float16 on CPUs."""
    _rewrite(rewriting, dtypes.float16)


@provides("ossia_plan_rewrites", "auto_mixed_precision_mkl", "auto_mixed_precision_onednn_bfloat16")
def in_bfloat16(rewriting: Rewriting) -> None:
    """The rewrite `auto_mixed_precision_onednn_bfloat16`, also called `auto_mixed_precision_mkl`: bfloat16 on CPUs."""
    _rewrite(rewriting, dtypes.bfloat16)


def _rewrite(rewriting: Rewriting, half: Any) -> None:
    lists = op_lists()
    painted = _Painting(rewriting, half, lists)
    chosen = painted.chosen()
    if chosen:
        _retype(rewriting, {op: painted.attrs[op] for op in rewriting.ops if op in chosen}, half)


class _Painting:
    """Which nodes compute in half precision."""

    def __init__(self, rewriting: Rewriting, half: Any, lists: dict[str, frozenset[str]]) -> None:
        looped = any(op.type in _FRAMES for op in rewriting.ops)
        # Control flow of loops carries what it carries: a cast on the way around a frame would be no frame any more.
        left_out = _FRAMES | _BRANCHES if looped else _FRAMES
        known = lists["allow"] | lists["infer"] | lists["deny"] | lists["clear"]
        self.attrs: dict[Operation, list[str]] = {}
        casts = []
        for op in rewriting.ops:
            if op in rewriting.kept:
                continue
            if op.type == "Cast":
                casts.append(op)
            elif op.type in known and op.type not in left_out:
                attrs = _float_attrs(op, half)
                if attrs:
                    self.attrs[op] = attrs
        self._casts = [op for op in casts if op.attrs["DstT"] is dtypes.float32]
        self._lists = lists
        self.before = {op: _sources(op, self.attrs) for op in self.attrs}
        self.after: dict[Operation, list[Operation]] = {op: [] for op in self.attrs}
        for op, sources in self.before.items():
            for source in sources:
                self.after[source].append(op)

    def _of(self, *names: str) -> set[Operation]:
        wanted = frozenset().union(*(self._lists[name] for name in names))
        return {op for op in self.attrs if op.type in wanted}

    def chosen(self) -> set[Operation]:
        """The nodes to compute in half precision; `attrs` has their attributes to change."""
        allow, clear = self._of("allow"), self._of("clear")
        denied = self._denied(clear)
        half = set(allow)
        free = (clear | self._of("infer")) - denied
        downstream = _reached(allow, self.after, free.__contains__)
        half |= _reached(allow, self.before, lambda op: op in free and op in downstream)
        passing = {op for op in clear - denied if not _reads_variable(op)}
        half |= _reached(half, self._beside, passing.__contains__)
        for op in self._casts:
            readers = op.outputs[0]._consumers
            if readers and all(reader in half and _takes_half(reader, op.outputs[0], self.attrs) for reader in readers):
                half.add(op)
                self.attrs[op] = ["DstT"]
        return half

    def _denied(self, clear: set[Operation]) -> set[Operation]:
        deny = self._of("deny")
        sensitive = deny | self._of("infer")
        upstream = _reached(sensitive, self.before, clear.__contains__)
        return _reached(deny, self.after, upstream.__contains__)

    @property
    def _beside(self) -> dict[Operation, list[Operation]]:
        return {op: [*self.before[op], *self.after[op]] for op in self.attrs}


def _float_attrs(op: Operation, half: Any) -> list[str]:
    """The type attributes of a node that are float32 and may be `half`."""
    return [
        attr.name
        for attr in op.definition.attrs.values()
        if attr.kind == "type"
        and op.attrs.get(attr.name) is dtypes.float32
        and (attr.allowed is None or half in attr.allowed)
    ]


def _sources(op: Operation, attrs: dict[Operation, list[str]]) -> list[Operation]:
    """The nodes whose outputs a node reads, where both ends of the edge may become half."""
    found = []
    for tensor, arg in zip(op._inputs, input_args(op), strict=True):
        source = tensor.op
        if arg.type_attr in attrs[op] and source in attrs:
            if output_args(source)[tensor.value_index].type_attr in attrs[source]:
                found.append(source)
    return found


def _takes_half(op: Operation, tensor: Tensor, attrs: dict[Operation, list[str]]) -> bool:
    args = input_args(op)
    return all(
        arg.type_attr in attrs[op] for other, arg in zip(op._inputs, args, strict=True) if other is tensor
    )


def _reached(
    starts: Iterable[Operation], edges: dict[Operation, list[Operation]], enter: Callable[[Operation], bool]
) -> set[Operation]:
    """The starts and what can be reached from them through nodes that `enter` lets pass."""
    found = set(starts)
    pending = list(found)
    while pending:
        for op in edges[pending.pop()]:
            if op not in found and enter(op):
                found.add(op)
                pending.append(op)
    return found


def _reads_variable(op: Operation) -> bool:
    return any(tensor.op.type in _VARIABLES for tensor in op._inputs)


def _retype(rewriting: Rewriting, chosen: dict[Operation, list[str]], half: Any) -> None:
    """Set the attributes of the chosen nodes, and put casts where half precision begins and ends."""
    casts: dict[tuple[Tensor, Any], Tensor] = {}

    def cast(tensor: Tensor, dtype: Any) -> Tensor:
        found = casts.get((tensor, dtype))
        if found is None:
            name = f"{tensor.op.name}-{tensor.value_index}-{_CASTS[dtype]}-AutoMixedPrecision"
            source = tensor.dtype.base_dtype
            made = rewriting.insert(tensor.op, "Cast", name, [tensor], SrcT=source, DstT=dtype)
            found = casts[tensor, dtype] = made.outputs[0]
        return found

    for op, attrs in chosen.items():
        rewriting.set_attrs(op, **dict.fromkeys(attrs, half))
    def is_half(tensor: Tensor) -> bool:
        return output_args(tensor.op)[tensor.value_index].type_attr in chosen.get(tensor.op, ())

    for op in list(rewriting.ops):
        changed = chosen.get(op, ())
        for position, (tensor, arg) in enumerate(zip(op._inputs, input_args(op), strict=True)):
            wanted = half if arg.type_attr in changed else dtypes.float32
            if wanted is half and tensor.dtype.base_dtype is dtypes.float32:
                rewriting.set_input(op, position, cast(tensor, half))
            elif wanted is not half and is_half(tensor):
                rewriting.set_input(op, position, cast(tensor, dtypes.float32))
