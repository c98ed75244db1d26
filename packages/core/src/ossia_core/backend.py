"""What computes: the whole contract of backends, and the NumPy backend, which has a kernel for every op.

A backend needs nothing of core but this module, the registration hook (`ossia_core.hookspecs`), and what all packages
speak of: `ossia_core.names` (dtypes, shapes, errors), `ossia_core.declare` (what an op is) and `ossia_core.random`
(the streams that every backend draws from). These are the parts of the contract:

region     A `Region` has the work to be compiled in an order that may be kept (`nodes`), and slots, numbers for values:
           `inputs` come from outside with every call, `outputs` are wanted outside, `constants` and `variables` are
           known now. `tensors` names the tensor of a slot, `shares(slot)` says whether an output may share memory with
           what it is made from, `may_be_variable(slot)` whether an input may lie in the buffer of a variable.
           `interpret(inputs, context)` runs the region step by step, `around(positions)` cuts it around nodes that
           cannot be compiled, and `notes` is the backend's own.
work       A `Work` is one node with the slots that it reads and writes (`node`, `ins`, `outs`), the `guard` under which
           it runs at all, and for a merge its `choices`. `step(slots)` computes it on NumPy. A while frame is a `Loop`
           in `loop`: `enters`, `merges`, `exits`, the slot of the `predicate`, and the work of its condition and body,
           which `loop_region` makes a region of.
values     Arrays of NumPy, contiguous or not, and its scalars. A program never changes its inputs, and returns
           arrays of the exact dtypes and shapes, which are the caller's and do not change later.
variables  A `VariableState` has the buffer of a variable in `value`, None until it is initialised. It is changed in
           place, or replaced by another buffer. `moves.last` is another object whenever any variable has got another
           buffer: who keeps addresses compares it before and after taking `value`.
locks      Who changes a buffer in place holds the variable's `lock`; who takes several takes them in the order of their
           ids. Variables that are read by handle share the lock of their session (`SessionState.updates`).
           Locks of the backend itself are made by `renewed`, so that a forked child has its own.
deadlines  A `RunContext` comes with every call. Work that may take long asks `check()` now and then, which raises when
           the deadline has passed or the session is closed; the error goes on to the caller.
buffers    Sizes of values are checked by `ossia_core.names.sizes` before memory is asked for. Memory that is lent to a
           run, of inputs and variables, may change while it is read: an index is read once, then checked, then used.

docs/add_a_backend.md has a backend for kernels and one for regions, both complete.
"""
from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from ossia_core.declare.kernels import Kernel, grouped, numpy_kernel
from ossia_core.forks import renewed
from ossia_core.graph import collector
from ossia_core.plugins import manager as plugins
from ossia_core.plugins.api_table import provides
from ossia_core.primitives.state import moves

if TYPE_CHECKING:
    from ossia_core.graph.operation import Operation
    from ossia_core.primitives.state import SessionState, VariableState
    from ossia_core.session.compile.regions import Region
    from ossia_core.session.compile.work import Work
    from ossia_core.session.run.context import RunContext
    from ossia_core.session.run.steps import Loop


__all__ = (
    "Backend", "Kernel", "Loop", "NumpyBackend", "Operation", "Program", "Region", "RunContext", "SessionState",
    "VariableState", "Work", "collector", "grouped", "inferred_shapes", "installed_backends", "loop_region", "moves",
    "node_key", "numpy_kernel", "renewed", "routine",
)  # fmt: skip


class Program(Protocol):
    """A compiled region: called with the run's context and the region's inputs, returns its outputs, in the region's
    order."""

    def __call__(self, context: Any, inputs: list[Any]) -> Sequence[Any]: ...


class Backend:
    """The base class of compute backends, which plugins register through `ossia_backends`.

    A plan asks the installed backends in order of priority, highest first. A backend provides a kernel per op
    (`kernel`), or compiles whole regions (`compile`), or both; whatever it declines goes to the next one.

    Example:
      >>> class Doubler(Backend):
      ...     name, priority = "doubler", 10
      ...     def kernel(self, node, session):
      ...         return (lambda x: x + x) if node.type == "Square" else None
    """

    name = ""
    priority = 0
    compiles = False  # whether `claims` and `compile` are to be asked
    control_flow = False  # whether regions may hold loops, merges and nodes that run under a guard
    lists = False  # whether regions may hold lists of tensors

    def supports_device(self, device_type: str) -> bool:
        """Whether nodes placed on devices of this type ("CPU", "GPU") may run here."""
        return device_type == "CPU"

    def kernel(self, node: Operation, session: SessionState) -> Kernel | None:
        """A callable for one node, `f(*inputs) -> output or tuple of outputs`, or None to decline.

        A kernel never changes its inputs and returns one of them only where the op is declared with `alias=True`. One
        that has an attribute `needs_context` is called with the run's `RunContext` first.
        """
        return None

    def uses(self) -> str:
        """What is not part of the backend and at work in it, in a few words, for `ossia plugins`."""
        return ""

    def claims(self, node: Operation) -> bool:
        """Whether `compile` may be offered regions with this node."""
        return False

    def calls(self, node: Operation) -> bool:
        """Whether a compiled region may call this node's step (`work.step`), which it does not claim: loops are offered
        as a whole where all of their nodes are claimed or may be called."""
        return False

    def claims_alike(self, node: Operation) -> bool:
        """Whether `claims` says of all nodes of this type and these dtypes what it says of this one: a plan then asks
        once."""
        return False

    def compiles_alone(self, node: Operation) -> bool:
        """Whether a node that it claims is worth a region with nothing else in it."""
        return False

    def routine(self, name: str) -> Callable[..., Any] | None:
        """What does the work of a package that is of no op, by the name that the package gives it; None to decline."""
        return None

    def compile(self, region: Region, input_shapes: Any) -> Program | None:
        """A program for a region, or None to decline.

        Shapes that the graph leaves open are known when the program is called: it specialises then, and may fall back
        on `region.interpret`. `input_shapes` is None, or the shapes of the region's inputs where the plan knows them.
        """
        return None


@provides("ossia_backends", "numpy")
class NumpyBackend(Backend):
    """The reference: the kernels that stand beside the op declarations."""

    name = "numpy"
    priority = 0

    def kernel(self, node: Operation, session: SessionState) -> Kernel | None:
        return numpy_kernel(node, session)


_lock = renewed(threading.Lock())
_found: list[Backend] | None = None


def installed_backends(config: Any = None) -> list[Backend]:
    """Backends by priority, highest first; NumPy's is always there. `OSSIA_BACKEND` (comma-separated names) selects.

    Raises:
      ValueError: `OSSIA_BACKEND` names a backend that is not installed.
    """
    global _found
    if _found is None:
        with _lock:
            if _found is None:
                made = [
                    item() if isinstance(item, type) else item for item in plugins.load_all("ossia_backends").values()
                ]
                _found = sorted(made, key=lambda b: -b.priority)
    chosen = os.environ.get("OSSIA_BACKEND")
    if not chosen:
        return _found
    names = [name.strip() for name in chosen.split(",") if name.strip()]
    known = {b.name: b for b in _found}
    for name in names:
        if name not in known:
            raise ValueError(f"OSSIA_BACKEND names {name!r}, which is not installed; there are: {', '.join(known)}")
    return [known[name] for name in names] + ([known["numpy"]] if "numpy" not in names else [])


def routine(name: str) -> Callable[..., Any] | None:
    """The routine of that name of the first backend that has one."""
    return next((found for backend in installed_backends() if (found := backend.routine(name)) is not None), None)


# -- what a compiled region is made with --------------------------------------------------------------------


_parts: dict[str, Callable[..., Any]] = {}
_Part = TypeVar("_Part", bound=Callable[..., Any])


def plan_part(made: _Part) -> _Part:
    """Let the contract have a part of plans, by its name: modules of plans, which ask backends, say so."""
    _parts[made.__name__] = made
    return made


def loop_region(loop: Loop, body: Sequence[Work]) -> Region:
    """The condition of a while frame, then its body, as a region.

    Args:
      loop: the frame.
      body: the work of its body, in an order in which it may run.
    """
    needed = {loop.predicate, *(n for _, _, n in loop.merges), *(inner for inner, _ in loop.exits)}
    tensors: dict[int, Any] = {}
    for tensor, slot in loop.scope.slots.items():
        tensors.setdefault(slot, tensor)
    made: Region = _parts["Region"]([*loop.condition_work, *body], loop.scope, tensors, needed)
    return made


def inferred_shapes(node: Operation, shapes: Sequence[Any], constants: Sequence[Any]) -> Any:
    """What the shape rule of a node says for inputs of these shapes.

    Args:
      node: a node whose op has a shape rule.
      shapes: of its inputs.
      constants: their values as arrays, as far as the rule is to see them, else None.

    Raises:
      Exception: whatever the rule raises where it refuses them.
    """
    definition = node.definition
    known = [
        _parts["known_tensor"](shape, tensor.dtype.base_dtype, value)
        for shape, tensor, value in zip(shapes, node._inputs, constants, strict=True)
    ]
    rule = definition.shape_fn
    assert rule is not None
    attrs = {name: node if name == "node" else node.attrs[name] for name in definition.shape_attrs}
    return rule(*grouped(definition.inputs, node.attrs, known), **attrs)


def node_key(node: Operation, inputs: Sequence[Any]) -> Any:
    """What two nodes have in common that compute the same from the same inputs; None if no other node can."""
    return _parts["merge_key"](node, inputs)
