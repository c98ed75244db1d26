"""Runs programs on this backend and on NumPy's, and counts what was compiled."""
from __future__ import annotations

import pytest

from ossia_backend_cffi.loader import native
from ossia_backend_cffi.run import region_program

needs_native = pytest.mark.skipif(native() is None, reason="built without a compiler")


@pytest.fixture
def compiled(monkeypatch):
    """The number of runs of compiled programs so far, in a list of one."""
    count = [0]
    run = region_program.Specialisation.run

    def counting(self, *args):
        found = run(self, *args)
        count[0] += found is not None
        return found

    monkeypatch.setattr(region_program.Specialisation, "run", counting)
    return count


@pytest.fixture
def backend(monkeypatch):
    """A function that selects the backend of the sessions made afterwards."""
    return lambda name: monkeypatch.setenv("OSSIA_BACKEND", name)
