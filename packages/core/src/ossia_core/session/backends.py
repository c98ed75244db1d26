"""The installed backends, in the order in which plans ask them."""
from __future__ import annotations

import os
import threading
from typing import Any

from ossia_core.backend import Backend, NumpyBackend
from ossia_core.forks import renewed
from ossia_core.plugins import manager as plugins

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
