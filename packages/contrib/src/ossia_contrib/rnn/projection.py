"""Cells around cells that map what goes in or comes out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ossia as tf
from ossia_contrib.rnn.linear import Linear
from ossia_contrib.rnn.sizes import RNNCell
from ossia_core.plugins.api_table import public
from ossia_nn.rnn.cell import assert_like_cell


class WrappingCell(RNNCell):
    """A cell with the sizes and the zero state of an inner one."""

    def __init__(self, cell: Any, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._cell = cell

    @property
    def state_size(self) -> Any:
        """Sizes of the inner cell's state."""
        return self._cell.state_size

    @property
    def output_size(self) -> Any:
        """Size of the inner cell's output."""
        return self._cell.output_size

    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        """The inner cell's zero state."""
        with tf.name_scope(type(self).__name__ + "ZeroState", values=[batch_size]):
            return self._cell.zero_state(batch_size, dtype)


@public("contrib.rnn.EmbeddingWrapper")
class EmbeddingWrapper(WrappingCell):
    """A cell whose inputs are ids, looked up in an embedding first.

    Args:
      cell: the inner cell.
      embedding_classes: number of ids.
      embedding_size: size of the vectors.
      initializer: initializer of the embedding; the scope's, or uniform with variance 1, by default.
      reuse: whether to use existing variables.

    Raises:
      TypeError: `cell` is no cell.
      ValueError: a size is not positive.
    """

    def __init__(
        self, cell: Any, embedding_classes: int, embedding_size: int, initializer: Any = None,
        reuse: bool | None = None,
    ) -> None:
        super().__init__(cell, _reuse=reuse)
        assert_like_cell("cell", cell)
        if embedding_classes <= 0 or embedding_size <= 0:
            raise ValueError(
                f"Both embedding_classes and embedding_size must be > 0: {embedding_classes}, {embedding_size}."
            )
        self._embedding_classes, self._embedding_size = embedding_classes, embedding_size
        self._initializer = initializer

    def call(self, inputs: Any, state: Any) -> Any:
        """One step of the inner cell with the vectors of the ids `[batch]` or `[batch, 1]`."""
        with tf.device("/cpu:0"):
            initializer = self._initializer or tf.get_variable_scope().initializer
            if not initializer:
                bound = 3 ** 0.5  # uniform numbers within it have the variance 1
                initializer = tf.random_uniform_initializer(-bound, bound)
            dtype = state[0].dtype if isinstance(state, tuple) else state.dtype
            embedding = tf.get_variable(
                "embedding", [self._embedding_classes, self._embedding_size], initializer=initializer, dtype=dtype
            )
            embedded = tf.nn.embedding_lookup(embedding, tf.reshape(inputs, [-1]))
            return self._cell(embedded, state)


@public("contrib.rnn.InputProjectionWrapper")
class InputProjectionWrapper(WrappingCell):
    """A cell whose inputs are mapped to another depth first.

    Args:
      cell: the inner cell.
      num_proj: the depth.
      activation: function of the mapped inputs.
      input_size: has no effect.
      reuse: whether to use existing variables.

    Raises:
      TypeError: `cell` is no cell.
    """

    def __init__(
        self, cell: Any, num_proj: int, activation: Callable | None = None, input_size: Any = None,
        reuse: bool | None = None,
    ) -> None:
        super().__init__(cell, _reuse=reuse)
        if input_size is not None:
            tf.logging.warn("%s: The input_size parameter is deprecated.", self)
        assert_like_cell("cell", cell)
        self._num_proj, self._activation, self._linear = num_proj, activation, None

    def call(self, inputs: Any, state: Any) -> Any:
        """One step."""
        if self._linear is None:
            self._linear = Linear(inputs, self._num_proj, True)
        projected = self._linear(inputs)
        return self._cell(self._activation(projected) if self._activation else projected, state)


@public("contrib.rnn.OutputProjectionWrapper")
class OutputProjectionWrapper(WrappingCell):
    """A cell whose output is mapped to another depth.

    Args:
      cell: the inner cell.
      output_size: the depth.
      activation: function of the mapped output.
      reuse: whether to use existing variables.

    Raises:
      TypeError: `cell` is no cell.
      ValueError: the depth is not positive.
    """

    def __init__(
        self, cell: Any, output_size: int, activation: Callable | None = None, reuse: bool | None = None
    ) -> None:
        super().__init__(cell, _reuse=reuse)
        assert_like_cell("cell", cell)
        if output_size < 1:
            raise ValueError(f"Parameter output_size must be > 0: {output_size}.")
        self._projected_size, self._activation, self._linear = output_size, activation, None

    @property
    def output_size(self) -> int:
        """The depth."""
        return self._projected_size

    def call(self, inputs: Any, state: Any) -> Any:
        """One step."""
        output, new_state = self._cell(inputs, state)
        if self._linear is None:
            self._linear = Linear(output, self._projected_size, True)
        projected = self._linear(output)
        return self._activation(projected) if self._activation else projected, new_state
