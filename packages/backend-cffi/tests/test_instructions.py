"""The schema of instructions: what is made of it agrees on both sides, and a name that it does not know is an error."""
from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from ossia_backend_cffi.loader import native
from ossia_backend_cffi.program import instructions
from ossia_backend_cffi.program.instructions import BYTES, KERNELS, Images, Matmul, StridedCopy, kernels_of, node_of

PACKAGE = Path(__file__).parents[1]


def _schema():
    spec = importlib.util.spec_from_file_location("instruction_schema", PACKAGE / "instruction_schema.py")
    made = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(importlib.import_module("sys").modules, "instruction_schema", made)
        spec.loader.exec_module(made)
    return made.Schema


TEXT = (PACKAGE / "src/ossia_backend_cffi/program/instructions.toml").read_text()


def test_the_classes_are_made_of_the_schema():
    schema = _schema()(TEXT)
    assert schema.digest == instructions.SCHEMA
    assert [kernel.name for kernel in schema.kernels] == list(KERNELS)


@pytest.mark.skipif(native() is None, reason="built without a compiler")
def test_the_native_module_is_built_of_the_same_schema():
    assert native().ffi.string(native().lib.oc_schema()).decode() == instructions.SCHEMA
    assert native().ffi.sizeof("oc_instr") == BYTES


def test_a_name_that_there_is_not():
    with pytest.raises(TypeError, match="columns"):
        Matmul(out=0, a=1, b=2, m=1, n=1, k=1, columns=3)
    with pytest.raises(TypeError, match="'n'"):
        Matmul(out=0, a=1, b=2, m=1, k=1)
    with pytest.raises(AttributeError):
        Matmul(out=0, a=1, b=2, m=1, n=1, k=1).columns = 3


@pytest.mark.parametrize(
    "old, new",
    [
        ('"m: rows of the result"', '"n: rows of the result"'),          # one name twice
        ('"dims[6]: extents"', '"dims[66]: extents"'),                   # no place is left
        ('"bytes: how many"', '"bytes, how many"'),                      # no field
        ("at = 22\nintegers = [\n    \"group", "at = 3\nintegers = [\n    \"group"),  # a role over an instruction
    ],
)
def test_a_schema_that_contradicts_itself(old, new):
    assert old in TEXT
    with pytest.raises(ValueError):
        _schema()(TEXT.replace(old, new))


def test_packed_where_the_header_says():
    row = StridedCopy(out=3, x=4, item=8, rank=2, dims=[5, 6], source=[7, 8], target=[9, 10], at=11)
    row.node = 2
    table = bytearray(2 * BYTES)
    row.pack(table, BYTES)
    integers = memoryview(table)[BYTES + instructions.INTEGERS_AT :][: 8 * 22].cast("q").tolist()
    assert integers == [8, 2, 5, 6, 0, 0, 0, 0, 7, 8, 0, 0, 0, 0, 9, 10, 0, 0, 0, 0, 0, 11]
    assert kernels_of(table)[1] == "strided_copy" and node_of(table, 1) == 2


def test_a_role_leaves_the_fields():
    row = Matmul(out=0, a=1, b=2, m=30, n=40, k=50)
    row.node = 0
    row.take(Images(group=7, shared=8, runs_as=9))
    table = bytearray(BYTES)
    row.pack(table, 0)
    assert row.name == "images" and kernels_of(table) == ["images"]
    integers = memoryview(table)[instructions.INTEGERS_AT :][: 8 * 32].cast("q").tolist()
    assert integers[:3] == [30, 40, 50] and integers[22:25] == [7, 8, 9]


def test_absent_operands_are_no_buffers():
    row = Matmul(out=0, a=1, b=2, bias=3, m=1, n=1, k=1)
    assert row.results() == [0] and row.operands_read() == [1, 2, 3] and row.gate == -1
