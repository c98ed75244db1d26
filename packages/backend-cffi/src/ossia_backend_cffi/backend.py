"""The backend: which nodes it claims, and what it makes of regions of them."""
from __future__ import annotations

import functools
from typing import Any

from ossia_backend_cffi.implemented import has_kernel, is_light, takes_dtypes
from ossia_core.backend import Backend
from ossia_core.declare.language import ENTER, MERGE
from ossia_core.names import dtypes
from ossia_core.session.compile.regions import Region

_COMPILED = (dtypes.float32, dtypes.int32, dtypes.int64, dtypes.bool, dtypes.resource)
_TYPES = frozenset(number for t in _COMPILED for number in (t._type_enum, t._as_ref._type_enum))
_FEW = 3  # nodes


class CffiBackend(Backend):
    """Compiles regions of float32 graphs into programs of native instructions."""

    name = "cffi"
    priority = 100
    compiles = True
    control_flow = lists = True

    def claims(self, node: Any) -> bool:
        """Whether there is an emitter for the node's type, and it computes with dtypes that are compiled."""
        emitters = emitters_by_type()
        if emitters is None:
            return False
        if any(t.dtype is dtypes.variant for t in (*node._inputs, *node.outputs)):
            from ossia_backend_cffi import lists

            return lists.claims(node)
        if _is_control(node):
            return all(t.dtype._type_enum in _TYPES for t in node.outputs)
        if node.type in emitters and is_compiled(node):
            return True
        from ossia_backend_cffi.from_shapes import follows_from_shapes

        return follows_from_shapes(node)

    def claims_alike(self, node: Any) -> bool:
        """Whether the node is claimed for its type and dtypes, not for what surrounds it."""
        emitters = emitters_by_type()
        if emitters is None:
            return True
        from ossia_backend_cffi.emitters import CONDITIONS

        kind = node.type
        return kind in emitters and not _is_control(node) and kind not in CONDITIONS and is_compiled(node)

    def calls(self, node: Any) -> bool:
        """Whether a program may call the node's own step."""
        from ossia_backend_cffi.calls import may_be_called

        return may_be_called(node)

    def kernel(self, node: Any, session: Any) -> Any:
        """The kernel of an op in C that takes arrays of any shape."""
        if not has_kernel(node):
            return None
        from ossia_backend_cffi.direct import direct_kernel

        return direct_kernel(node, session)

    def uses(self) -> str:
        """oneDNN, where its extra is installed."""
        from ossia_backend_cffi.loader import native

        if native() is None:
            return ""
        from ossia_backend_cffi.onednn import in_use

        return in_use()

    def compile(self, region: Region, input_shapes: Any) -> Any:
        """A program that specialises itself on the shapes that it is called with; None for a few ops on single
        numbers, which are done sooner than a native call is set up."""
        if len(region.nodes) <= _FEW and all(_is_light(node) for node in region.nodes):
            return None
        from ossia_backend_cffi.region_program import RegionProgram

        return RegionProgram(region)


@functools.cache
def emitters_by_type() -> Any:
    """What makes instructions of nodes, by type; None without the native module. Loaded when it is first asked for: a
    program of a few nodes does without."""
    from ossia_backend_cffi.loader import native

    if native() is None:
        return None
    from ossia_backend_cffi import (  # noqa: F401 - registers its emitters
        arrays,
        distinct,
        elementwise,
        integers,
        lists,
        movement,
        norm,
        products,
        random_draws,
        selection,
        special,
        updates,
        windows,
    )
    from ossia_backend_cffi.emitters import EMITTERS

    return EMITTERS


def _is_light(node: Any) -> bool:
    """Whether a node of a region takes and gives single numbers, and does next to nothing with them."""
    if node.op is None:
        return True
    if node.guard or not is_light(node.op):
        return False
    return all(t.shape.num_elements() == 1 for t in (*node.op._inputs, *node.op.outputs))


def _is_control(node: Any) -> bool:
    """Whether a node is a merge of values, or stands for a loop, which goes by the name of its first Enter."""
    definition = node.definition
    return definition.role is ENTER or (definition.role is MERGE and not definition.has_ref_input)


def is_compiled(node: Any) -> bool:
    """Whether the emitter of a node takes its dtypes, and the node as it stands in the graph."""
    from ossia_backend_cffi.emitters import CONDITIONS

    condition = CONDITIONS.get(node.type)
    if condition is not None:
        return condition(node)
    for tensor in node._inputs:
        if tensor.dtype._type_enum not in _TYPES:
            return False
    for tensor in node.outputs:
        if tensor.dtype._type_enum not in _TYPES:
            return False
    return takes_dtypes(node)
