"""Ops as functions of keyword arguments."""

import inspect

import pytest

from ossia_core.graph.graph import Graph
from ossia_ops import raw_ops


@pytest.fixture(autouse=True)
def graph():
    with Graph().as_default() as graph:
        yield graph


def test_builds_the_op(graph):
    made = raw_ops.PlaceholderWithDefault(input=2.0, shape=[], name="given")
    assert (made.op.type, made.name) == ("PlaceholderWithDefault", "given:0")
    assert raw_ops.NoOp().name == "NoOp"


def test_signature():
    assert str(inspect.signature(raw_ops.PlaceholderWithDefault)) == "(input, shape, name=None)"
    assert list(inspect.signature(raw_ops.Placeholder).parameters) == ["dtype", "shape", "name"]
    assert raw_ops.Placeholder.__name__ == "Placeholder"
    assert raw_ops.Placeholder is raw_ops.Placeholder


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: raw_ops.PlaceholderWithDefault(2.0, []), r"keyword args \(possible keys: \['input', 'shape'"),
        (lambda: raw_ops.PlaceholderWithDefault(input=2.0), "'shape'"),
        (lambda: raw_ops.PlaceholderWithDefault(input=2.0, shape=[], colour=1), "'colour'"),
    ],
    ids=["positional", "missing", "unknown"],
)
def test_wrong_arguments(call, message):
    with pytest.raises(TypeError, match=message):
        call()


def test_unknown_op():
    with pytest.raises(AttributeError, match="NoSuchOp"):
        raw_ops.NoSuchOp  # noqa: B018
    assert not hasattr(raw_ops, "__wrapped__")


def test_listing():
    assert {"Const", "NoOp"} <= set(dir(raw_ops))
