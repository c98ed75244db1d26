"""Blocks whose inputs can be computed from their outputs (Gomez et al. 2017), and functions computed again for their
gradients."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import ossia as tf
from ossia_core.plugins.api_table import public


@public("contrib.layers.RevBlock")
class RevBlock(tf.layers.Layer):
    """Layers `y1 = x1 + f(x2)`, `y2 = x2 + g(y1)`.

    Args:
      f, g: functions of a tensor, and of side inputs if there are any; or a list of them, one for each layer.
      num_layers: how many layers.
      f_side_input, g_side_input: further tensors for the functions, given as a list.
      use_efficient_backprop: whether what lies between need not be kept; it is kept here in any case.
      name: name of the scope.
    """

    def __init__(
        self, f: Any, g: Any, num_layers: int = 1, f_side_input: Any = None, g_side_input: Any = None,
        use_efficient_backprop: bool = True, name: str = "revblock", **kwargs: Any,
    ) -> None:
        super().__init__(name=name, **kwargs)
        self.f, self.g = ([each] * num_layers if callable(each) else list(each) for each in (f, g))
        if len(self.f) != num_layers or len(self.g) != num_layers:
            raise ValueError(f"f and g must be functions, or lists of {num_layers} of them")
        self.num_layers = num_layers
        self.f_side_input, self.g_side_input = f_side_input or [], g_side_input or []

    def build(self, _: Any) -> None:
        """The functions make the variables."""
        self.built = True

    def forward(self, x1: Any, x2: Any) -> Any:
        """The outputs of inputs."""
        return self.apply([x1, x2])

    def backward(self, y1: Any, y2: Any) -> Any:
        """The inputs of outputs."""
        return self.apply([y1, y2], forward=False)

    def call(self, inputs: Any, forward: bool = True) -> Any:
        """The outputs of inputs, or the other way round."""
        first, second = inputs
        with tf.variable_scope(tf.get_variable_scope(), reuse=tf.AUTO_REUSE, use_resource=True):
            order = range(self.num_layers) if forward else reversed(range(self.num_layers))
            for number in order:
                if forward:
                    first = first + self._of(number, "f", second)
                    second = second + self._of(number, "g", first)
                else:
                    second = second - self._of(number, "g", first)
                    first = first - self._of(number, "f", second)
                first, second = tf.tuple([first, second])
        return first, second

    def _of(self, number: int, which: str, x: Any) -> Any:
        function, side = getattr(self, which)[number], getattr(self, f"{which}_side_input")
        with tf.variable_scope(f"revlayer_{number}/{which}", use_resource=True):
            return function(x, side) if side else function(x)


@public("contrib.layers.rev_block")
def rev_block(
    x1: Any, x2: Any, f: Any, g: Any, num_layers: int = 1, f_side_input: Any = None, g_side_input: Any = None,
    is_training: bool = True,
) -> Any:
    """The outputs of a RevBlock.

    Args:
      x1, x2: the inputs, of one shape.
      f, g, num_layers, f_side_input, g_side_input: as of RevBlock.
      is_training: whether gradients are wanted.
    """
    block = RevBlock(f, g, num_layers, f_side_input, g_side_input, use_efficient_backprop=is_training)
    return block.forward(x1, x2)


@public("contrib.layers.recompute_grad")
def recompute_grad(fn: Callable, use_data_dep: Any = None, tupleize_grads: bool = False) -> Callable:
    """The function; what it computes is kept for its gradient here, and not computed again.

    Args:
      fn: a function of tensors.
      use_data_dep, tupleize_grads: have no effect.
    """
    @functools.wraps(fn)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        with tf.variable_scope(tf.get_variable_scope(), use_resource=True):
            return fn(*args, **kwargs)

    return wrapped
