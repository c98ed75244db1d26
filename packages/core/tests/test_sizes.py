"""Sizes are exact, and refused before anything is allocated."""

import pytest

from ossia_core.names import sizes
from ossia_core.names.errors import InvalidArgumentError, ResourceExhaustedError


@pytest.mark.parametrize(
    "shape,count", [([], 1), ([0], 0), ([2, 3], 6), ([0, 2**40], 0), ([2**62], 2**62), ([1] * 254, 1)]
)
def test_elements(shape, count):
    assert sizes.elements(shape) == count


@pytest.mark.parametrize("shape", [[2**32, 2**31], [0, 2**40, 2**40], [-1], [2, -3], [2**63], [1] * 255], ids=str)
def test_refused(shape):
    with pytest.raises(InvalidArgumentError):
        sizes.elements(shape)


def test_limit(monkeypatch):
    monkeypatch.setattr(sizes, "max_bytes", 100)
    assert sizes.allocatable([5, 5], 4) == 25
    with pytest.raises(ResourceExhaustedError, match=r"shape\[5,5\]"):
        sizes.allocatable([5, 5], 8)


def test_memory_is_the_limit():
    with pytest.raises(ResourceExhaustedError):
        sizes.allocatable([2**43], 4)
