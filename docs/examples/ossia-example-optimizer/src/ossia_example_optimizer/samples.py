"""What the test kit tries."""

import numpy as np


def lion(weight, gradient, slots, learning_rate=1e-4, beta1=0.9, beta2=0.99, weight_decay=0.0):
    """The formula, for arrays."""
    momentum = slots.get("momentum", np.zeros_like(weight))
    direction = np.sign(beta1 * momentum + (1 - beta1) * gradient)
    slots["momentum"] = beta2 * momentum + (1 - beta2) * gradient
    return weight - learning_rate * (direction + weight_decay * weight)


LION = {
    "plain": {"arguments": {"learning_rate": 0.1}, "formula": lion},
    "decay": {"arguments": {"learning_rate": 0.1, "beta1": 0.5, "weight_decay": 0.25}, "formula": lion},
}
