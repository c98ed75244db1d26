"""`script_ops`: the Python functions that nodes call."""

from __future__ import annotations

from ossia_ops.control.py_func import functions_held


class FuncRegistry:
    """The Python functions that nodes of living graphs call."""

    def size(self) -> int:
        """How many there are."""
        return functions_held()


_py_funcs = FuncRegistry()
