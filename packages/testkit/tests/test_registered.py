"""Which things are tried, and where their samples are."""

import importlib

import pytest

from ossia_core.declare import opdef
from ossia_core.plugins import manager as plugins
from ossia_testkit.registered import Choice, Row
from ossia_testkit.samples.plugin import OPS


@pytest.mark.parametrize(
    ("names", "runs", "rests"),
    [
        ({}, ["backend", "op", "optimizer"], []),
        ({"backend": ["numpy"]}, ["backend"], ["op", "optimizer"]),
        ({"backend": ["numpy"], "op": ["MatMul"]}, ["backend"], ["op"]),
        ({"backend": ["numpy"], "optimizer": ["Lion"]}, ["optimizer"], ["backend", "op"]),
        ({"op": ["MatMul"]}, ["op"], ["backend", "optimizer"]),
    ],
    ids=str,
)
def test_suites_of_a_choice(names, runs, rests):
    choice = Choice(names, [])
    assert all(map(choice.runs, runs)) and not any(map(choice.runs, rests))


def test_things_of_a_choice():
    choice = Choice({"op": ["Mat*", "Sum"], "optimizer": []}, ["mine"])
    assert choice.takes("op", "MatMul", "mine.ops") and choice.takes("op", "Sum", "mine")
    assert not choice.takes("op", "Max", "mine") and not choice.takes("op", "Sum", "other.mine")
    assert choice.takes("op", "Sum", "other:sum", ("other",)) and choice.takes("optimizer", "any", "mine:any")


def test_ids():
    assert [Row("op", "A", "", reason, {}).id for reason in ("", "plain")] == ["A", "A-plain"]


@pytest.mark.parametrize("family", OPS)
def test_samples_are_where_they_are_looked_for(family):
    types = [kind for kind in OPS[family].split() if kind in plugins.op_table()]
    before = {kind: len(opdef.lookup(kind)._samples) for kind in types}
    try:
        importlib.import_module(f"ossia_testkit.samples.{family}")
    except Exception as error:
        assert "not registered" in str(error), error  # of a package that is not installed
        return
    assert all(opdef.lookup(kind).sample_table for kind in types), before
