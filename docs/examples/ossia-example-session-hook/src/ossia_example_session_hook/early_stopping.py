"""Early stopping: training ends when a value has not become better for a while."""

import ossia as tf


class EarlyStoppingHook(tf.train.SessionRunHook):
    """Ends the loop when a value has not become smaller for some runs.

    Args:
        value: A scalar tensor, or its name.
        patience: How many runs may pass without a smaller value.
        minimum: By how much a value has to be smaller to count.

    Raises:
        ValueError: `patience` is not positive.
    """

    def __init__(self, value, patience=10, minimum=0.0):
        if patience < 1:
            raise ValueError(f"patience should be positive, not {patience}.")
        self._value, self._patience, self._minimum = value, patience, minimum

    def begin(self):
        self._tensor = tf.get_default_graph().as_graph_element(self._value)
        self._best, self._waited = None, 0

    def before_run(self, run_context):
        return tf.train.SessionRunArgs(self._tensor)

    def after_run(self, run_context, run_values):
        value = run_values.results
        if self._best is None or value < self._best - self._minimum:
            self._best, self._waited = value, 0
            return
        self._waited += 1
        if self._waited >= self._patience:
            run_context.request_stop()
