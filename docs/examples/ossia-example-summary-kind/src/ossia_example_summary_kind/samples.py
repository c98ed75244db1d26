"""What the test kit tries."""

import numpy as np


def values(least, mean, most):
    """What is in a summary: the tags behind the name, with their values."""
    found = {"/least": least, "/mean": mean, "/most": most}
    return [{"tag": tag, "simple_value": value} for tag, value in found.items()]


SPREAD = {
    "matrix": {"inputs": [np.array([[1, 2], [3, 10]], np.float32)], "values": values(1, 4, 10)},
    "integers": {"inputs": [np.array([-3, 3], np.int64)], "values": values(-3, 0, 3)},
    "scalar": {"inputs": [np.array(2.5, np.float32)], "values": values(2.5, 2.5, 2.5)},
}
