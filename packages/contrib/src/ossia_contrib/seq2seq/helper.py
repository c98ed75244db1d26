"""What decoders are fed with: the target, their own choices, or a mixture."""

from __future__ import annotations

import abc
from collections.abc import Callable
from typing import Any

import ossia as tf
from ossia_contrib.seq2seq.sampling import drawn_classes
from ossia_core.plugins.api_table import public
from ossia_nn.rnn.dynamic import swapped


@public("contrib.seq2seq.Helper")
class Helper(abc.ABC):
    """What samples from outputs, and says what a decoder sees next; a base class."""

    @property
    @abc.abstractmethod
    def batch_size(self) -> Any:
        """The batch size, a scalar."""

    @property
    @abc.abstractmethod
    def sample_ids_shape(self) -> Any:
        """Shape of what `sample` returns, without the batch."""

    @property
    @abc.abstractmethod
    def sample_ids_dtype(self) -> Any:
        """Dtype of what `sample` returns."""

    @abc.abstractmethod
    def initialize(self, name: str | None = None) -> Any:
        """(which sequences are finished, first inputs)."""

    @abc.abstractmethod
    def sample(self, time: Any, outputs: Any, state: Any, name: str | None = None) -> Any:
        """What is chosen, given the outputs of a step."""

    @abc.abstractmethod
    def next_inputs(self, time: Any, outputs: Any, state: Any, sample_ids: Any, name: str | None = None) -> Any:
        """(which sequences are finished, next inputs, next state)."""


class _IdHelper(Helper):
    """A helper that samples numbers of classes."""

    _batch_size: Any

    @property
    def batch_size(self) -> Any:
        """The batch size, a scalar."""
        return self._batch_size

    @property
    def sample_ids_shape(self) -> Any:
        """Shape of what `sample` returns, without the batch."""
        return tf.TensorShape([])

    @property
    def sample_ids_dtype(self) -> Any:
        """Dtype of what `sample` returns."""
        return tf.int32


@public("contrib.seq2seq.CustomHelper")
class CustomHelper(Helper):
    """A helper of functions.

    Args:
      initialize_fn: returns (finished, next inputs).
      sample_fn: function of `time`, `outputs` and `state` that returns what is chosen.
      next_inputs_fn: function of `time`, `outputs`, `state` and `sample_ids` that returns (finished, next inputs, next
        state).
      sample_ids_shape, sample_ids_dtype: shape, without the batch, and dtype of what is chosen; int32 scalars if None.
    """

    def __init__(
        self, initialize_fn: Callable, sample_fn: Callable, next_inputs_fn: Callable, sample_ids_shape: Any = None,
        sample_ids_dtype: Any = None,
    ) -> None:
        self._initialize_fn, self._sample_fn, self._next_inputs_fn = initialize_fn, sample_fn, next_inputs_fn
        self._batch_size: Any = None
        self._sample_ids_shape = tf.TensorShape(sample_ids_shape or [])
        self._sample_ids_dtype = sample_ids_dtype or tf.int32

    @property
    def batch_size(self) -> Any:
        """The batch size.

        Raises:
          ValueError: the helper has not been initialized.
        """
        if self._batch_size is None:
            raise ValueError("batch_size accessed before initialize was called")
        return self._batch_size

    @property
    def sample_ids_shape(self) -> Any:
        """Shape of what `sample` returns, without the batch."""
        return self._sample_ids_shape

    @property
    def sample_ids_dtype(self) -> Any:
        """Dtype of what `sample` returns."""
        return self._sample_ids_dtype

    def initialize(self, name: str | None = None) -> Any:
        """(which sequences are finished, first inputs)."""
        with tf.name_scope(name, "CustomHelperInitialize"):
            finished, next_inputs = self._initialize_fn()
            if self._batch_size is None:
                self._batch_size = tf.size(finished)
        return finished, next_inputs

    def sample(self, time: Any, outputs: Any, state: Any, name: str | None = None) -> Any:
        """What is chosen."""
        with tf.name_scope(name, "CustomHelperSample", (time, outputs, state)):
            return self._sample_fn(time=time, outputs=outputs, state=state)

    def next_inputs(self, time: Any, outputs: Any, state: Any, sample_ids: Any, name: str | None = None) -> Any:
        """(which sequences are finished, next inputs, next state)."""
        with tf.name_scope(name, "CustomHelperNextInputs", (time, outputs, state)):
            return self._next_inputs_fn(time=time, outputs=outputs, state=state, sample_ids=sample_ids)


def steps_of(x: tf.Tensor) -> Any:
    """A TensorArray of the steps of a sequence, time first."""
    return tf.TensorArray(dtype=x.dtype, size=tf.shape(x)[0], element_shape=x.shape[1:]).unstack(x)


@public("contrib.seq2seq.TrainingHelper")
class TrainingHelper(_IdHelper):
    """A helper that reads the inputs.

    Args:
      inputs: a (structure of) tensors `[batch, time, ...]`.
      sequence_length: lengths `[batch]`.
      time_major: whether the time stands first in `inputs`.
      name: name scope.

    Raises:
      ValueError: `sequence_length` is no vector.
    """

    def __init__(
        self, inputs: Any, sequence_length: Any, time_major: bool = False, name: str | None = None
    ) -> None:
        with tf.name_scope(name, "TrainingHelper", [inputs, sequence_length]):
            inputs = tf.nest.map_structure(lambda x: tf.convert_to_tensor(x, name="inputs"), inputs)
            self._inputs = inputs
            if not time_major:
                inputs = tf.nest.map_structure(swapped, inputs)
            self._input_tas = tf.nest.map_structure(steps_of, inputs)
            self._sequence_length = tf.convert_to_tensor(sequence_length, name="sequence_length")
            if self._sequence_length.shape.ndims != 1:
                raise ValueError(
                    f"Expected sequence_length to be a vector, but received shape: {self._sequence_length.shape}"
                )
            self._zero_inputs = tf.nest.map_structure(lambda x: tf.zeros_like(x[0, :]), inputs)
            self._batch_size = tf.size(sequence_length)

    @property
    def inputs(self) -> Any:
        """The inputs."""
        return self._inputs

    @property
    def sequence_length(self) -> Any:
        """The lengths."""
        return self._sequence_length

    def _read(self, all_finished: Any, time: Any) -> Any:
        return tf.cond(
            all_finished, lambda: self._zero_inputs,
            lambda: tf.nest.map_structure(lambda steps: steps.read(time), self._input_tas),
        )

    def initialize(self, name: str | None = None) -> Any:
        """(which sequences are finished, first inputs)."""
        with tf.name_scope(name, "TrainingHelperInitialize"):
            finished = tf.equal(0, self._sequence_length)
            return finished, self._read(tf.reduce_all(finished), 0)

    def sample(self, time: Any, outputs: Any, name: str | None = None, **unused_kwargs: Any) -> Any:  # type: ignore[override]
        """The classes of the largest outputs."""
        with tf.name_scope(name, "TrainingHelperSample", [time, outputs]):
            return tf.cast(tf.argmax(outputs, axis=-1), tf.int32)

    def next_inputs(self, time: Any, outputs: Any, state: Any, name: str | None = None, **unused_kwargs: Any) -> Any:
        """(which sequences are finished, next inputs, next state)."""
        with tf.name_scope(name, "TrainingHelperNextInputs", [time, outputs, state]):
            next_time = time + 1
            finished = next_time >= self._sequence_length
            return finished, self._read(tf.reduce_all(finished), next_time), state


def looked_up_in(embedding: Any) -> Callable:
    """A function from ids to vectors: `embedding` itself, or the look-up in it."""
    return embedding if callable(embedding) else lambda ids: tf.nn.embedding_lookup(embedding, ids)


@public("contrib.seq2seq.GreedyEmbeddingHelper")
class GreedyEmbeddingHelper(_IdHelper):
    """A helper that takes the largest output, and feeds its vector.

    Args:
      embedding: a function from ids to vectors, or the parameters of `tf.nn.embedding_lookup`.
      start_tokens: first ids `[batch]`.
      end_token: the id that ends a sequence, a scalar.

    Raises:
      ValueError: arguments of another rank.
    """

    def __init__(self, embedding: Any, start_tokens: Any, end_token: Any) -> None:
        self._embedding_fn = looked_up_in(embedding)
        self._start_tokens = tf.convert_to_tensor(start_tokens, dtype=tf.int32, name="start_tokens")
        self._end_token = tf.convert_to_tensor(end_token, dtype=tf.int32, name="end_token")
        if self._start_tokens.shape.ndims != 1:
            raise ValueError("start_tokens must be a vector")
        self._batch_size = tf.size(start_tokens)
        if self._end_token.shape.ndims != 0:
            raise ValueError("end_token must be a scalar")
        self._start_inputs = self._embedding_fn(self._start_tokens)

    def initialize(self, name: str | None = None) -> Any:
        """(which sequences are finished, first inputs)."""
        return tf.tile([False], [self._batch_size]), self._start_inputs

    def sample(self, time: Any, outputs: Any, state: Any, name: str | None = None) -> Any:
        """The ids of the largest outputs.

        Raises:
          TypeError: the outputs are no tensor.
        """
        if not isinstance(outputs, tf.Tensor):
            raise TypeError(f"Expected outputs to be a single Tensor, got: {type(outputs)}")
        return tf.argmax(outputs, axis=-1, output_type=tf.int32)

    def next_inputs(self, time: Any, outputs: Any, state: Any, sample_ids: Any, name: str | None = None) -> Any:
        """(which sequences are finished, next inputs, next state)."""
        finished = tf.equal(sample_ids, self._end_token)
        all_finished = tf.reduce_all(finished)
        next_inputs = tf.cond(all_finished, lambda: self._start_inputs, lambda: self._embedding_fn(sample_ids))
        return finished, next_inputs, state


@public("contrib.seq2seq.SampleEmbeddingHelper")
class SampleEmbeddingHelper(GreedyEmbeddingHelper):
    """A helper that draws from the outputs, which are logits, and feeds the vector of what it drew.

    Args:
      embedding, start_tokens, end_token: as of GreedyEmbeddingHelper.
      softmax_temperature: what logits are divided by; 1 by default.
      seed: seed of the draws.
    """

    def __init__(
        self, embedding: Any, start_tokens: Any, end_token: Any, softmax_temperature: Any = None,
        seed: int | None = None,
    ) -> None:
        super().__init__(embedding, start_tokens, end_token)
        self._softmax_temperature, self._seed = softmax_temperature, seed

    def sample(self, time: Any, outputs: Any, state: Any, name: str | None = None) -> Any:
        """Ids that are drawn.

        Raises:
          TypeError: the outputs are no tensor.
        """
        if not isinstance(outputs, tf.Tensor):
            raise TypeError(f"Expected outputs to be a single Tensor, got: {type(outputs)}")
        logits = outputs if self._softmax_temperature is None else outputs / self._softmax_temperature
        return drawn_classes(logits, self._seed)


@public("contrib.seq2seq.InferenceHelper")
class InferenceHelper(Helper):
    """A helper of functions that do not see the time or the state.

    Args:
      sample_fn: function of the outputs that returns what is chosen.
      sample_shape, sample_dtype: shape, without the batch, and dtype of what is chosen.
      start_inputs: first inputs `[batch, ...]`.
      end_fn: function of what is chosen that returns which sequences are finished.
      next_inputs_fn: function from what is chosen to the next inputs; the identity by default.
    """

    def __init__(
        self, sample_fn: Callable, sample_shape: Any, sample_dtype: Any, start_inputs: Any, end_fn: Callable,
        next_inputs_fn: Callable | None = None,
    ) -> None:
        self._sample_fn, self._sample_shape, self._sample_dtype = sample_fn, tf.TensorShape(sample_shape), sample_dtype
        self._end_fn, self._next_inputs_fn = end_fn, next_inputs_fn
        self._start_inputs = tf.convert_to_tensor(start_inputs, name="start_inputs")
        self._batch_size = tf.shape(start_inputs)[0]

    @property
    def batch_size(self) -> Any:
        """The batch size, a scalar."""
        return self._batch_size

    @property
    def sample_ids_shape(self) -> Any:
        """Shape of what `sample` returns, without the batch."""
        return self._sample_shape

    @property
    def sample_ids_dtype(self) -> Any:
        """Dtype of what `sample` returns."""
        return self._sample_dtype

    def initialize(self, name: str | None = None) -> Any:
        """(which sequences are finished, first inputs)."""
        return tf.tile([False], [self._batch_size]), self._start_inputs

    def sample(self, time: Any, outputs: Any, state: Any, name: str | None = None) -> Any:
        """What is chosen."""
        return self._sample_fn(outputs)

    def next_inputs(self, time: Any, outputs: Any, state: Any, sample_ids: Any, name: str | None = None) -> Any:
        """(which sequences are finished, next inputs, next state)."""
        next_inputs = sample_ids if self._next_inputs_fn is None else self._next_inputs_fn(sample_ids)
        return self._end_fn(sample_ids), next_inputs, state
