"""What the test kit tries."""

import numpy as np

X = np.array([[0.5, -1.5], [1.0, -0.25]], np.float32)
GRAD = np.array([[1.0, 2.0], [3.0, -4.0]], np.float32)

STRAIGHT_THROUGH = {
    "sign": {"op": "Sign", "inputs": [X], "grads": [GRAD], "expected": [[[1, 0], [3, -4]]]},
    "round": {"op": "Rint", "inputs": [X.astype(np.float64)], "expected": [[[1, 0], [1, 1]]]},
    "empty": {"op": "Sign", "inputs": [X[:0]], "expected": [X[:0]]},
}
