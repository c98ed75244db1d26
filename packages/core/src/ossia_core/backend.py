"""What computes: the interface of backends, and the NumPy backend, which has a kernel for every op."""
from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from ossia_core.declare.opdef import OpDef, keyword_only

if TYPE_CHECKING:
    from ossia_core.graph.operation import Operation
    from ossia_core.session.compile.regions import Region
    from ossia_core.session.run.state import SessionState

Kernel = Callable[..., Any]


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

    def compile(self, region: Region, input_shapes: Any) -> Program | None:
        """A program for a region, or None to decline.

        Shapes that the graph leaves open are known when the program is called: it specialises then, and may fall back
        on `region.interpret`. `input_shapes` is None, or the shapes of the region's inputs where the plan knows them.
        """
        return None


class NumpyBackend(Backend):
    """The reference: the kernels that stand beside the op declarations."""

    name = "numpy"
    priority = 0

    def kernel(self, node: Operation, session: SessionState) -> Kernel | None:
        return numpy_kernel(node, session)


def numpy_kernel(node: Operation, session: SessionState | None = None) -> Kernel | None:
    """The NumPy kernel of a node with its attributes bound, or None if its op has none."""
    definition = node.definition
    factory = definition.kernel_factory
    if factory is not None:
        return factory(node, session=session) if _asks_for_session(definition) else factory(node)
    fn = definition.kernel_fn
    if fn is None:
        return None
    wanted = _wanted(definition)
    if not wanted:
        return fn
    bound = {
        name: node if name == "node" else session if name == "session" else node.attrs[name]
        for name in wanted
        if name != "context"
    }
    if "context" in wanted:
        return _with_context(fn, bound)
    return functools.partial(fn, **bound)


def _asks_for_session(definition: OpDef) -> bool:
    found = definition.__dict__.get("factory_asks_for_session")
    if found is None:
        found = definition.__dict__["factory_asks_for_session"] = "session" in keyword_only(definition.kernel_factory)  # type: ignore[arg-type]
    return found


def _wanted(definition: OpDef) -> tuple[str, ...]:
    found = definition.__dict__.get("kernel_attrs")
    if found is None:
        found = definition.__dict__["kernel_attrs"] = keyword_only(definition.kernel_fn)  # type: ignore[arg-type]
    return found


def _with_context(fn: Kernel, bound: dict[str, Any]) -> Kernel:
    def kernel(context: Any, *inputs: Any) -> Any:
        return fn(*inputs, context=context, **bound)
    kernel.needs_context = True  # type: ignore[attr-defined]
    return kernel
