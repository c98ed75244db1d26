"""Examples as JSON."""

from __future__ import annotations

import base64
import json
import re
import struct
from collections.abc import Callable
from typing import Any

import numpy as np

from ossia_core.declare.opdef import op
from ossia_core.declare.shape_rules import unchanged
from ossia_core.graph.tensor import Tensor
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.plugins.api_table import public
from ossia_parsing.base64 import map_strings
from ossia_parsing.proto_fields import varint

_CONSTANTS = {"NaN": float("nan"), "Infinity": float("inf"), "-Infinity": float("-inf")}
_MOST = float(np.finfo(np.float32).max)
_INTEGER = re.compile(r"[+-]?[0-9]{1,19}")
_HEXADECIMAL = re.compile(r"[+-]?0[xX].*")
_BASE64 = [  # of either alphabet, padded wholly or not at all
    re.compile(rf"({digit}{{4}})*({digit}{{2}}(==)?|{digit}{{3}}=?)?") for digit in ("[A-Za-z0-9+/]", "[A-Za-z0-9_-]")
]
_SPACE = r"[ \t\r\n\v\f]"
_TOKEN = re.compile(
    r"""(?P<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|["'].*"""
    rf"""|(?P<key>(?!null|true|false)[A-Za-z_$][\w$]*(?={_SPACE}*:))"""
    rf"""|(?P<number>-?[0-9]*\.[-+.\w]*)|(?P<comma>,(?={_SPACE}*[\]}}]))|(?P<space>{_SPACE}+)|[-+.\w$]+|.""",
    re.ASCII | re.DOTALL,
)
_LENIENT = re.compile(
    rf"['\v\f]|\\[^\"\\/bfnrtu]|,{_SPACE}*[\]}}]|[{{,]{_SPACE}*[A-Za-z_$]|[0-9]\.(?![0-9])|-\.", re.ASCII
)
_ESCAPED = re.compile(r"""\\([^"\\/bfnrtu])|(\\.)|(")""", re.DOTALL)

decode_json_example_op = op("DecodeJSONExample(json_examples: string) -> binary_examples: string")
decode_json_example_op.shape(unchanged)


@decode_json_example_op.kernel
def _(json_examples):
    return map_strings(_binary, json_examples)


def _binary(text: bytes) -> bytes:
    try:
        tree = json.loads(_strict(text.decode()), strict=False, object_pairs_hook=_Pairs, parse_constant=_refuse)
        if not isinstance(tree, _Pairs):
            raise ValueError("Root element must be a message.")
        return b"".join(_field(1, _features(value)) for value in _members(tree, "features"))
    except (ValueError, RecursionError) as error:
        raise InvalidArgumentError(None, None, f"Error while parsing JSON: {str(error)[:200]}") from error


def _strict(text: str) -> str:
    """A text as JSON that is so but for quotes of either kind, bare keys, any escapes, trailing commas and points."""
    if not _LENIENT.search(text):
        return text
    out: list[str] = []
    last = ""
    for token in _TOKEN.finditer(text):
        kind, piece = token.lastgroup, token[0]
        if kind == "text":
            piece = '"' + _ESCAPED.sub(_escaped, piece[1:-1]) + '"'
        elif kind == "key":
            piece = f'"{piece}"' if last in ("{", ",") else piece
        elif kind == "number":
            piece = re.sub(r"\.(?![0-9])", ".0", re.sub(r"^-\.(?=[0-9])", "-0.", piece))
        elif kind == "comma" and last not in ("{", "[", ",", ":"):
            piece = ""
        out.append(" " if kind == "space" else piece)
        last = last if kind == "space" else token[0]
    return "".join(out)


def _escaped(found: re.Match[str]) -> str:
    """What stands in JSON for an escape or a double quote of a text."""
    if found[1] is not None:
        return "\\u000b" if found[1] == "v" else found[1]
    return found[2] or '\\"'


class _Pairs(list[tuple[str, Any]]):
    """The members of a JSON object in their order."""


def _refuse(name: str) -> Any:
    raise ValueError(f"invalid value {name}")


def _members(value: Any, *names: str) -> list[Any]:
    """The values of a message's fields that are set, in their order; all of them are called by one of the names."""
    if not isinstance(value, _Pairs):
        raise ValueError(f"a message with the field {names[0]} was expected, not {value!r:.50}")
    for name, _ in value:
        if name not in names:
            raise ValueError(f"{name}: Cannot find field.")
    return [item for _, item in value if item is not None]


def _features(value: Any) -> bytes:
    """The entries stay in the order of the text."""
    entries = []
    seen: set[str] = set()
    for table in _members(value, "feature"):
        if not isinstance(table, _Pairs):
            raise ValueError("Cannot bind a list to map for field 'feature'.")
        for name, feature in table:
            if name in seen:
                raise ValueError(f"Repeated map key: '{name}' is already set.")
            seen.add(name)
            content = b"" if feature is None else _field(2, _feature(feature))
            entries.append(_field(1, _field(1, name.encode()) + content))
    return b"".join(entries)


def _feature(value: Any) -> bytes:
    _members(value, *_KINDS)
    kinds = [(name, content) for name, content in value if content is not None]
    if len(kinds) > 1:
        raise ValueError(f"oneof field 'kind' is already set. Cannot set '{kinds[1][0]}'")
    return b"".join(_values(content, *_KINDS[name]) for name, content in kinds)


def _values(value: Any, number: int, item: Callable[[Any], bytes]) -> bytes:
    """A list of numbers or strings, each with its tag: the original does not pack them."""
    out = []
    for values in _members(value, "value"):
        listed = isinstance(values, list) and not isinstance(values, _Pairs)
        out += [item(one) for one in (values if listed else [values]) if one is not None]
    return _field(number, b"".join(out))


def _field(number: int, content: bytes) -> bytes:
    return bytes([number << 3 | 2]) + varint(len(content)) + content


def _bytes_item(value: Any) -> bytes:
    if not isinstance(value, str) or not any(form.fullmatch(value) for form in _BASE64):
        raise ValueError(f"invalid value {value!r:.50} for type TYPE_BYTES")
    digits = value.rstrip("=").replace("+", "-").replace("/", "_")
    padded = digits + "=" * (-len(digits) % 4)
    content = base64.urlsafe_b64decode(padded)
    if base64.urlsafe_b64encode(content).decode() != padded:  # bits that belong to no byte
        raise ValueError(f"invalid value {value!r:.50} for type TYPE_BYTES")
    return _field(1, content)


def _float_item(value: Any) -> bytes:
    if isinstance(value, bool) or not isinstance(value, (int, float, str)) or "_" in str(value):
        raise ValueError(f"invalid value {value!r:.50} for type TYPE_FLOAT")
    if isinstance(value, str) and value != value.strip():
        raise ValueError(f"invalid value {value!r:.50} for type TYPE_FLOAT")
    if isinstance(value, str) and _HEXADECIMAL.fullmatch(value):
        number = float.fromhex(value)
    else:
        number = _CONSTANTS[value] if value in _CONSTANTS else float(value)
    if value not in _CONSTANTS and not abs(number) <= _MOST:
        raise ValueError(f"invalid value {value!r:.50} for type TYPE_FLOAT")
    return b"\x0d" + struct.pack("<f", number)


def _int64_item(value: Any) -> bytes:
    number = int(value) if isinstance(value, str) and _INTEGER.fullmatch(value) else value
    if isinstance(number, bool) or not isinstance(number, (int, float)) or number != number // 1:
        raise ValueError(f"invalid value {value!r:.50} for type TYPE_INT64")
    if not -(1 << 63) <= number < 1 << 63:
        raise ValueError(f"invalid value {value!r:.50} for type TYPE_INT64")
    return b"\x08" + varint(int(number) & 0xFFFFFFFFFFFFFFFF)


_KINDS: dict[str, tuple[int, Callable[[Any], bytes]]] = {
    name: kind
    for kind, names in (
        ((1, _bytes_item), ("bytesList", "bytes_list")),
        ((2, _float_item), ("floatList", "float_list")),
        ((3, _int64_item), ("int64List", "int64_list")),
    )
    for name in names
}


decode_json_example_op.samples(
    empty=(b"{}",), one=([b'{"features": {"feature": {"a": {"int64List": {"value": ["1"]}}}}}'],),
    kinds=(
        [
            b'{"features": {"feature": {"z": {"int64List": {"value": ["1", -2]}}, "e": {"floatList": {}},'
            b' "b": {"bytesList": {"value": ["YWJj", ""]}}, "n": null,'
            b' "f": {"float_list": {"value": [1.5, "NaN", "-Infinity", null]}}}}}'
        ],
    ),
    refused_kinds=([b'{"features": {"feature": {"a": {"int64List": {}, "floatList": {}}}}}'],),
    refused_again=([b'{"features": {"feature": {"a": {}, "a": {}}}}'],),
    refused_field=([b'{"feature": {}}'],),
    refused_fraction=([b'{"features": {"feature": {"a": {"int64List": {"value": [1.5]}}}}}'],),
    refused_large=([b'{"features": {"feature": {"a": {"floatList": {"value": [1e39]}}}}}'],),
    refused_list=([b'{"features": {"feature": []}}'],),
    refused_text=([b'{"features"'],),
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
