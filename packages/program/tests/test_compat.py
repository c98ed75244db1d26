"""Conversions of strings, and the day of compatibility."""

import pathlib

import numpy as np
import pytest

from ossia_program import compat


def test_bytes_and_text():
    assert (compat.as_bytes("é"), compat.as_bytes(b"x"), compat.as_bytes(bytearray(b"x"))) == (b"\xc3\xa9", b"x", b"x")
    assert (compat.as_text(b"\xc3\xa9"), compat.as_text("x"), compat.as_str(b"x")) == ("é", "x", "x")
    assert (compat.as_bytes("é", "latin-1"), compat.as_text(b"\xe9", "latin-1")) == (b"\xe9", "é")
    assert [compat.as_str_any(x) for x in (3, b"x", "x", None)] == ["3", "x", "x", "None"]
    with pytest.raises(UnicodeDecodeError):
        compat.as_text(b"\xff")


@pytest.mark.parametrize("convert", [compat.as_bytes, compat.as_text, compat.as_str])
@pytest.mark.parametrize("value", [3, None, [b"x"]])
def test_refused(convert, value):
    with pytest.raises(TypeError, match="Expected binary or unicode string"):
        convert(value)


def test_path_to_str():
    assert [compat.path_to_str(x) for x in (pathlib.PurePosixPath("/a/b"), "x", b"x", 3)] == ["/a/b", "x", b"x", 3]


def test_types():
    assert (
        isinstance(np.int64(3), compat.integral_types)
        and isinstance(3, compat.real_types)
        and isinstance(np.float32(3), compat.real_types)
    )
    assert isinstance(1j, compat.complex_types) and not isinstance(np.bool_(True), compat.integral_types)
    assert isinstance(b"", compat.bytes_or_text_types) and isinstance("", compat.bytes_or_text_types)


def test_forward_compatibility():
    assert compat.forward_compatible(2019, 8, 20) and not compat.forward_compatible(2019, 8, 21)
    with compat.forward_compatibility_horizon(2030, 1, 2):
        assert compat.forward_compatible(2030, 1, 1) and not compat.forward_compatible(2030, 1, 2)
    assert not compat.forward_compatible(2030, 1, 1)
