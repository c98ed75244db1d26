"""Text forms that are nested too deep are refused; what merely looks nested is not."""

import inspect
import sys

import pytest
from google.protobuf import text_format

from ossia_core.names import text_proto
from ossia_core.proto import GraphDef, NodeDef


def nested(depth):
    text = "s: 'x'"
    for _ in range(depth // 4):
        text = f"func {{ attr {{ key: 'a' value {{ list {{ {text} }} }} }} }}"
    return f"attr {{ key: 'a' value {{ {text} }} }}"


def test_depth():
    # Each step of `nested` is four messages deep: func, attr, value, list.
    shallow = text_proto.parse(nested(88), NodeDef())
    assert NodeDef.FromString(shallow.SerializeToString()) == shallow
    for depth in (104, 10_000):
        with pytest.raises(text_format.ParseError, match="nested"):
            text_proto.parse(nested(depth), NodeDef())
    with pytest.raises(text_format.ParseError):
        text_proto.parse("attr <" * 200_000, NodeDef())


def test_braces_in_strings_and_comments():
    text = """node { name: "{{{" device: '<<<\\'{' } # {{{\n""" + "# {\n" * 200 + "node { name: 'b' }"
    assert [node.name for node in text_proto.parse(text, GraphDef()).node] == ["{{{", "b"]


def test_little_stack_left():
    def deep(frames):
        return deep(frames - 1) if frames else text_proto.parse(nested(96), NodeDef())

    text_proto.parse("", NodeDef())
    with pytest.raises(text_format.ParseError, match="stack"):
        deep(sys.getrecursionlimit() - len(inspect.stack(0)) - 60)
