"""Helpers that now and then feed what the decoder chose instead of the target (Bengio et al. 2015)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ossia as tf
from ossia_contrib.seq2seq.helper import TrainingHelper, looked_up_in, steps_of
from ossia_contrib.seq2seq.sampling import drawn_classes, drawn_flags
from ossia_core.plugins.api_table import public
from ossia_nn.rnn.dynamic import swapped


def _probability(value: Any) -> tf.Tensor:
    probability = tf.convert_to_tensor(value, name="sampling_probability")
    if probability.shape.ndims not in (0, 1):
        raise ValueError(
            f"sampling_probability must be either a scalar or a vector. saw shape: {probability.shape}"
        )
    return probability


def _scattered(where_sampling: Any, sampled: Any, where_not_sampling: Any, inputs: Any) -> tf.Tensor:
    """`sampled` and the inputs elsewhere, each at its place."""
    not_sampled = tf.gather_nd(inputs, where_not_sampling)
    sampled = sampled()
    shape = tf.shape(inputs)
    return tf.scatter_nd(indices=where_sampling, updates=sampled, shape=shape) + tf.scatter_nd(
        indices=where_not_sampling, updates=not_sampled, shape=shape
    )


@public("contrib.seq2seq.ScheduledEmbeddingTrainingHelper")
class ScheduledEmbeddingTrainingHelper(TrainingHelper):
    """A training helper that draws from the outputs with some probability, and feeds the vector of what it drew.

    Args:
      inputs, sequence_length, time_major, name: as of TrainingHelper.
      embedding: a function from ids to vectors, or the parameters of `tf.nn.embedding_lookup`.
      sampling_probability: a scalar, or `[batch]`.
      seed: seed of what is drawn.
      scheduling_seed: seed of where it is drawn.

    Raises:
      ValueError: arguments of another rank.
    """

    def __init__(
        self, inputs: Any, sequence_length: Any, embedding: Any, sampling_probability: Any, time_major: bool = False,
        seed: int | None = None, scheduling_seed: int | None = None, name: str | None = None,
    ) -> None:
        with tf.name_scope(name, "ScheduledEmbeddingSamplingWrapper", [embedding, sampling_probability]):
            self._embedding_fn = looked_up_in(embedding)
            self._sampling_probability = _probability(sampling_probability)
            self._seed, self._scheduling_seed = seed, scheduling_seed
            super().__init__(inputs=inputs, sequence_length=sequence_length, time_major=time_major, name=name)

    def sample(self, time: Any, outputs: Any, state: Any, name: str | None = None) -> Any:  # type: ignore[override]
        """Ids where they are drawn, -1 elsewhere."""
        with tf.name_scope(name, "ScheduledEmbeddingTrainingHelperSample", [time, outputs, state]):
            chosen = drawn_flags(self._sampling_probability, tf.bool, self.batch_size, self._scheduling_seed)
            ids = drawn_classes(outputs, self._seed)
            return tf.where(chosen, ids, tf.raw_ops.Fill(dims=[self.batch_size], value=-1))

    def next_inputs(  # type: ignore[override]
        self, time: Any, outputs: Any, state: Any, sample_ids: Any, name: str | None = None
    ) -> Any:
        """(which sequences are finished, next inputs, next state)."""
        with tf.name_scope(name, "ScheduledEmbeddingTrainingHelperNextInputs", [time, outputs, state, sample_ids]):
            finished, inputs, state = super().next_inputs(
                time=time, outputs=outputs, state=state, sample_ids=sample_ids, name=name
            )

            def mixed() -> tf.Tensor:
                where_sampling = tf.cast(tf.where(sample_ids > -1), tf.int32)
                where_not_sampling = tf.cast(tf.where(sample_ids <= -1), tf.int32)
                ids = tf.gather_nd(sample_ids, where_sampling)
                return _scattered(where_sampling, lambda: self._embedding_fn(ids), where_not_sampling, inputs)

            all_finished = tf.reduce_all(finished)
            return finished, tf.cond(all_finished, lambda: inputs, mixed), state


@public("contrib.seq2seq.ScheduledOutputTrainingHelper")
class ScheduledOutputTrainingHelper(TrainingHelper):
    """A training helper that feeds the outputs themselves with some probability.

    Args:
      inputs, sequence_length, time_major, name: as of TrainingHelper.
      sampling_probability: a scalar, or `[batch]`.
      seed: seed of where outputs are fed.
      next_inputs_fn: function from outputs to inputs; the identity by default.
      auxiliary_inputs: what is put beside the inputs, in their structure.

    Raises:
      ValueError: arguments of another rank.
    """

    def __init__(
        self, inputs: Any, sequence_length: Any, sampling_probability: Any, time_major: bool = False,
        seed: int | None = None, next_inputs_fn: Callable | None = None, auxiliary_inputs: Any = None,
        name: str | None = None,
    ) -> None:
        with tf.name_scope(name, "ScheduledOutputTrainingHelper", [inputs, auxiliary_inputs, sampling_probability]):
            self._sampling_probability = _probability(sampling_probability)
            self._auxiliary_input_tas = None
            if auxiliary_inputs is not None:
                inputs = tf.convert_to_tensor(inputs)
                auxiliary_inputs = tf.convert_to_tensor(auxiliary_inputs)
                inputs = tf.nest.map_structure(_side_by_side, inputs, auxiliary_inputs)
                if not time_major:
                    auxiliary_inputs = tf.nest.map_structure(swapped, auxiliary_inputs)
                self._auxiliary_input_tas = tf.nest.map_structure(steps_of, auxiliary_inputs)
            self._seed, self._next_inputs_fn = seed, next_inputs_fn
            super().__init__(inputs=inputs, sequence_length=sequence_length, time_major=time_major, name=name)

    def sample(self, time: Any, outputs: Any, state: Any, name: str | None = None) -> Any:  # type: ignore[override]
        """Where outputs are fed."""
        with tf.name_scope(name, "ScheduledOutputTrainingHelperSample", [time, outputs, state]):
            return drawn_flags(self._sampling_probability, tf.int32, self.batch_size, self._seed)

    def next_inputs(  # type: ignore[override]
        self, time: Any, outputs: Any, state: Any, sample_ids: Any, name: str | None = None
    ) -> Any:
        """(which sequences are finished, next inputs, next state)."""
        with tf.name_scope(name, "ScheduledOutputTrainingHelperNextInputs", [time, outputs, state, sample_ids]):
            finished, inputs, state = super().next_inputs(
                time=time, outputs=outputs, state=state, sample_ids=sample_ids, name=name
            )
            chosen = tf.cast(sample_ids, tf.bool)

            def beside_auxiliary(x: Any, indices: Any = None) -> Any:
                if self._auxiliary_input_tas is None:
                    return x
                next_time = time + 1
                beside = tf.nest.map_structure(lambda steps: steps.read(next_time), self._auxiliary_input_tas)
                if indices is not None:
                    beside = tf.gather_nd(beside, indices)
                return tf.nest.map_structure(_side_by_side, x, beside)

            def mixed() -> tf.Tensor:
                if self._next_inputs_fn is None:
                    return tf.where(chosen, beside_auxiliary(outputs), inputs)
                where_sampling = tf.cast(tf.where(chosen), tf.int32)
                where_not_sampling = tf.cast(tf.where(tf.logical_not(chosen)), tf.int32)
                sampled = tf.gather_nd(outputs, where_sampling)
                made = self._next_inputs_fn
                return _scattered(
                    where_sampling, lambda: beside_auxiliary(made(sampled), where_sampling), where_not_sampling, inputs
                )

            all_finished = tf.reduce_all(finished)
            none_chosen = tf.logical_not(tf.reduce_any(chosen))
            return finished, tf.cond(tf.logical_or(all_finished, none_chosen), lambda: inputs, mixed), state


def _side_by_side(x: Any, y: Any) -> tf.Tensor:
    return tf.concat((x, y), -1)
