"""Ops: every sample of every op, against what the op declares."""

from ossia_testkit import registered
from ossia_testkit.op_table import op_table_tests

if registered.choice.runs("op"):
    TestOps = op_table_tests()
