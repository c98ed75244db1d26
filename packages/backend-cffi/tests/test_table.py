"""Every sample of every op that is compiled, alone in a region, with special values and hostile shapes: as on NumPy."""
from __future__ import annotations

import contextlib
import os

import numpy as np
import pytest

from ossia_backend_cffi.backend import DIRECT, emitters_by_type
from ossia_backend_cffi.loader import native
from ossia_testkit import op_samples, op_table

pytestmark = pytest.mark.skipif(native() is None, reason="built without a compiler")


def _samples():
    table, compiled = {}, {*(emitters_by_type() or {}), *DIRECT}
    for package in ("ossia_ops", "ossia_core", "ossia_optimizers", "ossia_image"):
        try:
            table.update(op_samples.package_samples(package))
        except ImportError:
            continue
    return {name: found for name, found in table.items() if found[0].type in compiled and not name.endswith("-unset")
            and not name.split("-")[1].startswith("refused") and not op_samples.is_steps(found[1])}


TABLE = _samples()


@pytest.fixture(autouse=True)
def small_regions(monkeypatch):
    monkeypatch.setattr("ossia_core.session.compile.regions.MIN_NODES", 1)


@pytest.mark.parametrize("flavour", ["unknown", "partial"])
@pytest.mark.parametrize("name", TABLE)
def test_as_numpy(name, flavour):
    definition, sample = TABLE[name]
    # A sanitizer keeps its own limit: it needs far more addresses.
    limit = contextlib.nullcontext if "ASAN_OPTIONS" in os.environ else op_table.limited_memory
    with op_samples.sample_graph(definition, sample, flavour) as built, limit(), np.errstate(all="ignore"):
        changes = [{}]
        for tensor, value in built.feeds.items():
            if value.dtype.kind == "f" and not name.split("-")[1].startswith("special"):
                changes += [{tensor: np.full_like(value, special)} for special in op_table.SPECIAL.values()]
            changes += [{tensor: change(value)} for change in op_table.HOSTILE.values()]
        for change in changes:
            expected = op_table.attempt(built, change, "numpy")
            got = op_table.attempt(built, change, "cffi")
            shown = [value.tolist() for value in change.values()]
            if isinstance(expected, str) or isinstance(got, str):
                assert isinstance(expected, str) and isinstance(got, str), f"{shown}: {got} instead of {expected}"
            else:
                if "Apply" in definition.type:
                    # Programs that update variables flush denormal results to zero.
                    expected, got = op_table.without_denormals(expected), op_table.without_denormals(got)
                assert not op_table.same(expected, got), shown
