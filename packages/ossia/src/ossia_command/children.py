"""Python processes that a program starts with `sys.executable` find Ossia as `tensorflow` too.

The folder `startup` comes first on their path, and its `sitecustomize` does what `ossia run` did in the parent.
"""

from __future__ import annotations

import os

VARIABLE = "OSSIA_RUN"
_STARTUP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "startup")


def install(*, strict: bool) -> None:
    """Sets the environment of the processes that this one starts.

    Args:
        strict: Whether they leave NumPy as it is.
    """
    paths = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path and path != _STARTUP]
    os.environ["PYTHONPATH"] = os.pathsep.join([_STARTUP, *paths])
    os.environ[VARIABLE] = "strict" if strict else "lenient"
