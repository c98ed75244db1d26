"""What the test kit tries."""

import math


def one_cycle(learning_rate, step, decay_steps, warmup=0.3, start=0.04):
    """The formula, for Python numbers."""
    time = min(step, decay_steps) / decay_steps
    if time < warmup:
        return learning_rate * (start + (1 - start) * time / warmup)
    return learning_rate * (1 + math.cos(math.pi * (time - warmup) / (1 - warmup))) / 2


ONE_CYCLE = {
    "plain": {"arguments": {"decay_steps": 100}, "formula": one_cycle},
    "long_rise": {"arguments": {"decay_steps": 12, "warmup": 0.75, "start": 0.5}, "formula": one_cycle},
}
