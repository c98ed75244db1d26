"""ParameterizedTruncatedNormal."""
import numpy as np
from golden_case import Case

INF = np.inf


def _case(dtype, shape, *parameters):
    return lambda tf: Case(tf.raw_ops.ParameterizedTruncatedNormal(shape=shape, means=np.asarray(parameters[0], dtype), stdevs=np.asarray(parameters[1], dtype), minvals=np.asarray(parameters[2], dtype),
                                                                   maxvals=np.asarray(parameters[3], dtype), seed=3, seed2=5), steps=2, tolerance=0 if dtype != "f8" else 1e-14)


BOUNDS = {"wide": (0, 1, -2, 2), "narrow": (0, 1, -1, 1), "half": (0, 1, 0, INF), "below": (0, 1, -INF, -1), "tail": (0, 1, 3, INF), "far": (0, 1, 5, 6), "left": (1, 2, -20, -10), "open": (1, 2, -INF, 3), "unlike": (0, 1, 1, 9), "moved": (10, 3, 9, 30)}
for _name, _bounds in BOUNDS.items():
    for _dtype in ("f4", "f8"):
        globals()["case_%s_%s" % (_name, _dtype)] = _case(_dtype, [50], *_bounds)
case_rows = _case("f4", [4, 10], [0, 1, 2, 3], [1, 1, 2, 1], [-1, 0, 3, -3], [1, 2, 9, 9])
case_mixed = _case("f4", [3, 5], [0, 1, 2], 1, -3, [4, 5, 6])
case_empty = _case("f4", [0, 5], 0, 1, -3, 4)
case_invalid = _case("f4", [3], 0, -1, -3, 4)
case_crossed = _case("f4", [3], 0, 1, 3, -3)
case_open = _case("f4", [3], 0, 1, -INF, INF)
case_barely_inside = _case("f4", [4, 10], [0] * 4, [1] * 4, [-1.2, -1.35, -0.5, -2], [0.5, 0.5, 1.5, 0])
case_bounds_of_one_row = _case("f4", [5], 1, [2], [-1], 3)
case_means_of_one_row = _case("f4", [5], [1], [2], -1, 3)
