"""Compressed strings."""

from __future__ import annotations

import zlib
from typing import Any

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import unchanged
from ossia_core.graph.dispatch import dispatches
from ossia_core.graph.tensor import Tensor
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.plugins.api_table import public
from ossia_io.inflating import inflate
from ossia_parsing.base64 import map_strings

_WINDOW_BITS = {b"ZLIB": zlib.MAX_WBITS, b"GZIP": 16 + zlib.MAX_WBITS}

decode_compressed_op = op("DecodeCompressed(bytes: string) -> output: string", compression_type="string = ''")
decode_compressed_op.shape(unchanged)


@decode_compressed_op.kernel
def _(bytes, *, compression_type):
    if not compression_type:
        return map_strings(lambda text: text, bytes)
    if compression_type not in _WINDOW_BITS:
        raise InvalidArgumentError(None, None, "Only ZLIB, GZIP or NONE are supported compressions")
    return map_strings(lambda text: inflate(text, _WINDOW_BITS[compression_type]), bytes)


decode_compressed_op.samples(plain=sample([b"a", b""]), zlib=sample([zlib.compress(b"abc")], compression_type="ZLIB"))


@public("decode_compressed", "io.decode_compressed", "compat.v2.io.decode_compressed")
@dispatches
def decode_compressed(bytes: Any, compression_type: str = "", name: str | None = None) -> Tensor:
    """What compressed strings stand for.

    Args:
        bytes: A string tensor.
        compression_type: `"ZLIB"`, `"GZIP"` or `""` for none.
        name: Name of the op.

    Returns:
        A string tensor; running it raises DataLossError for damaged strings. One that is cut off gives what it holds.
    """
    return decode_compressed_op(bytes, compression_type=compression_type, name=name)
