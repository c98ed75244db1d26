"""The pieces of the op tables that do not need ops."""
import numpy as np

from ossia_testkit.op_definitions import original_ops
from ossia_testkit.op_table import HOSTILE, finite_differences


def test_finite_differences_know_kinks():
    numeric, usable = finite_differences(lambda x: float(np.abs(x).sum() + (x ** 2).sum()), np.array([0.0, 2.0, -1.0]))
    assert usable.tolist() == [False, True, True]
    assert np.allclose(numeric[1:], [5, -3])


def test_finite_differences_leave_out_what_is_not_finite():
    with np.errstate(all="ignore"):
        assert not finite_differences(lambda x: float(np.log(x).sum()), np.array([0.0]))[1].any()


def test_hostile_changes():
    a = np.arange(6, dtype=np.int32).reshape(2, 3)
    shapes = {name: change(a).shape for name, change in HOSTILE.items()}
    assert shapes["scalar"] == () and shapes["deeper"] == (1, 2, 3) and shapes["flat"] == (6,)
    assert len(shapes["rank_9"]) == 9 and shapes["empty"] == (2, 0)
    assert (HOSTILE["negative"](a) == -1).all()
    assert HOSTILE["negative"](np.ones(2, np.float32)).tolist() == [1, 1]


def test_the_original_ops_are_known():
    ops = original_ops()
    assert ops["MatMul"]["inputs"] == [["a", "T"], ["b", "T"]]
    assert ops["Equal"]["gradient"] == "NotDifferentiable"
    assert len([name for name, facts in ops.items() if facts["wrapped"]]) == 1227
