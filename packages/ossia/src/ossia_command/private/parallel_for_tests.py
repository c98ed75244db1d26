"""`parallel_for.test_util`: the base of tests that compare mapped functions with loops."""

from __future__ import annotations

from typing import Any

import ossia as tf
from ossia_command.private import parallel_for


class PForTestCase(tf.test.TestCase):
    """A test case that runs two ways to the same values."""

    def _run_targets(self, targets1: Any, targets2: Any = None, run_init: bool = True) -> list[Any]:
        targets1 = tf.nest.flatten(targets1)
        targets2 = [] if targets2 is None else tf.nest.flatten(targets2)
        assert len(targets1) == len(targets2) or not targets2
        if run_init:
            self.evaluate(tf.global_variables_initializer())
        return self.evaluate(targets1 + targets2)

    def run_and_assert_equal(self, targets1: Any, targets2: Any) -> None:
        """Asserts that two structures of tensors have the same values."""
        outputs = self._run_targets(targets1, targets2)
        half = len(outputs) // 2
        for one, other in zip(outputs[:half], outputs[half:], strict=True):
            self.assertAllClose(one, other)

    def _test_loop_fn(
        self, loop_fn: Any, iters: Any, loop_fn_dtypes: Any = tf.float32, parallel_iterations: int | None = None
    ) -> None:
        mapped = parallel_for.pfor(loop_fn, iters, parallel_iterations=parallel_iterations)
        looped = parallel_for.for_loop(loop_fn, loop_fn_dtypes, iters, parallel_iterations=parallel_iterations)
        self.run_and_assert_equal(mapped, looped)
