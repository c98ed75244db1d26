"""What computes: the interface of backends, and the NumPy backend, which has a kernel for every op."""
from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from ossia_core.declare.kernels import Kernel, numpy_kernel
from ossia_core.forks import renewed
from ossia_core.plugins import manager as plugins

if TYPE_CHECKING:
    from ossia_core.graph.operation import Operation
    from ossia_core.primitives.state import SessionState
    from ossia_core.session.compile.regions import Region

__all__ = ["Backend", "Kernel", "NumpyBackend", "Program", "installed_backends", "numpy_kernel"]


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
                if not any(b.name == "numpy" for b in made):
                    made.append(NumpyBackend())
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
