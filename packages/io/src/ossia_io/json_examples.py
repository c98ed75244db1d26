"""Examples as JSON."""

from __future__ import annotations

from typing import Any

from ossia_core.api_table import public
from ossia_core.errors import InvalidArgumentError
from ossia_core.graph.tensor import Tensor
from ossia_core.opdef import op
from ossia_core.proto import Example
from ossia_core.shape_rules import unchanged
from ossia_io.base64 import map_strings

decode_json_example_op = op("DecodeJSONExample(json_examples: string) -> binary_examples: string")
decode_json_example_op.shape(unchanged)


@decode_json_example_op.kernel
def _(json_examples):
    return map_strings(_binary, json_examples)


def _binary(text: bytes) -> bytes:
    from google.protobuf import json_format

    if not text.lstrip().startswith(b"{"):
        raise InvalidArgumentError(None, None, "Error while parsing JSON: Root element must be a message.")
    try:
        example = json_format.Parse(text, Example())
    except (json_format.ParseError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidArgumentError(None, None, f"Error while parsing JSON: {str(error)[:200]}") from error
    return example.SerializeToString(deterministic=True)


decode_json_example_op.samples(
    empty=(b"{}",), one=([b'{"features": {"feature": {"a": {"int64List": {"value": ["1"]}}}}}'],)
)


@public("decode_json_example", "io.decode_json_example", "compat.v2.io.decode_json_example")
def decode_json_example(json_examples: Any, name: str | None = None) -> Tensor:
    """Examples in the JSON form of their messages as the strings that `tf.io.parse_example` takes.

    Args:
        json_examples: A string tensor.
        name: Name of the op.

    Returns:
        A string tensor; running it raises InvalidArgumentError for text that is no Example.
    """
    return decode_json_example_op(json_examples, name=name)
