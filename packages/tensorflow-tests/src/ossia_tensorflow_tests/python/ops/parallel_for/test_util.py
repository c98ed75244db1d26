"""`parallel_for.test_util`: a test case that compares results of all iterations with those of a loop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ossia as tf
from ossia_tensorflow_paths.python.ops.parallel_for.control_flow_ops import for_loop, pfor


class PForTestCase(tf.test.TestCase):
    """A test case with checks of functions that are called for numbers."""

    def _run_targets(self, targets1: Any, targets2: Any = None, run_init: bool = True) -> Any:
        """The values of one or two structures of tensors, flat and one after the other.

        Args:
            targets1: Tensors, nested.
            targets2: As many tensors, nested.
            run_init: Whether variables are initialized first.
        """
        first, second = tf.nest.flatten(targets1), [] if targets2 is None else tf.nest.flatten(targets2)
        assert len(second) in (0, len(first))
        if run_init:
            self.evaluate(tf.global_variables_initializer())
        return self.evaluate(first + second)

    def run_and_assert_equal(self, targets1: Any, targets2: Any) -> None:
        """Checks that two structures of tensors have nearly the same values."""
        values = tf.nest.flatten(self._run_targets(targets1, targets2))
        half = len(values) // 2
        for one, other in zip(values[:half], values[half:], strict=True):
            self.assertAllClose(other, one, rtol=1e-4, atol=1e-5)

    def _test_loop_fn(
        self,
        loop_fn: Callable[..., Any],
        iters: Any,
        loop_fn_dtypes: Any = tf.float32,
        parallel_iterations: int | None = None,
    ) -> None:
        """Checks that `pfor` gives what `for_loop` does."""
        at_once = pfor(loop_fn, iters=iters, parallel_iterations=parallel_iterations)
        in_turn = for_loop(loop_fn, loop_fn_dtypes, iters=iters, parallel_iterations=parallel_iterations)
        self.run_and_assert_equal(at_once, in_turn)
