"""K-means as an estimator."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import ossia as tf
from ossia_contrib.factorization.kmeans import (
    CLUSTERS_VAR_NAME,
    COSINE_DISTANCE,
    KMEANS_PLUS_PLUS_INIT,
    RANDOM_INIT,
    SQUARED_EUCLIDEAN_DISTANCE,
    KMeans,
)
from ossia_core.plugins.api_table import public


class _InitializeClustersHook(tf.train.SessionRunHook):
    """Chooses the first centres, before the first step."""

    def __init__(self, init_op: Any, is_initialized: Any) -> None:
        self._init_op = init_op
        self._is_initialized = is_initialized

    def after_create_session(self, session: Any, coord: Any) -> None:
        assert self._init_op.graph is tf.get_default_graph()
        while True:
            try:
                if session.run(self._is_initialized):
                    return
                session.run(self._init_op)
            except RuntimeError as error:
                tf.logging.info(error)
                time.sleep(1)


class _StepCountingHook(tf.train.SessionRunHook):
    """Counts a step before it runs: with an input of one epoch, the step at its end counts too, and is saved."""

    def __init__(self, counted: Any) -> None:
        self._counted = counted

    def before_run(self, run_context: Any) -> None:
        run_context.session.run(self._counted)


class _LossRelativeChangeHook(tf.train.SessionRunHook):
    """Stops when the loss changes by little."""

    def __init__(self, loss: Any, tolerance: float) -> None:
        self._loss = loss
        self._tolerance = tolerance
        self._before: Any = None

    def before_run(self, run_context: Any) -> Any:
        return tf.train.SessionRunArgs(self._loss)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        loss = run_values.results
        before, self._before = self._before, loss
        if before is not None and abs(loss - before) / (before + 1e-10) < self._tolerance:
            run_context.request_stop()


@public("contrib.factorization.KMeansClustering")
class KMeansClustering(tf.estimator.Estimator):
    """K-means clustering.

    Args:
      num_clusters: how many clusters.
      model_dir: the folder of checkpoints and events.
      initial_clusters: where they begin, see `KMeans`.
      distance_metric: `squared_euclidean` or `cosine`.
      random_seed: of the beginning.
      use_mini_batch: whether centres move a little with each batch.
      mini_batch_steps_per_iteration: how many batches count as one pass.
      kmeans_plus_plus_num_retries: how many points are tried for each centre.
      relative_tolerance: stop when the loss changes by less, as a part of it; only for full batches.
      config: a `tf.estimator.RunConfig`.
      feature_columns: columns that make points of features.

    Raises:
      ValueError: a distance or a beginning of another name.
    """

    SQUARED_EUCLIDEAN_DISTANCE = SQUARED_EUCLIDEAN_DISTANCE
    COSINE_DISTANCE = COSINE_DISTANCE
    RANDOM_INIT = RANDOM_INIT
    KMEANS_PLUS_PLUS_INIT = KMEANS_PLUS_PLUS_INIT
    SCORE = "score"
    CLUSTER_INDEX = "cluster_index"
    ALL_DISTANCES = "all_distances"
    CLUSTER_CENTERS_VAR_NAME = CLUSTERS_VAR_NAME

    def __init__(
        self, num_clusters: int, model_dir: str | None = None, initial_clusters: Any = RANDOM_INIT,
        distance_metric: str = SQUARED_EUCLIDEAN_DISTANCE, random_seed: int = 0, use_mini_batch: bool = True,
        mini_batch_steps_per_iteration: int = 1, kmeans_plus_plus_num_retries: int = 2,
        relative_tolerance: float | None = None, config: Any = None, feature_columns: Any = None,
    ) -> None:
        if distance_metric not in (SQUARED_EUCLIDEAN_DISTANCE, COSINE_DISTANCE):
            raise ValueError(f"Unsupported distance metric: {distance_metric}")

        def model_fn(features: Any, mode: str, config: Any) -> Any:
            if feature_columns is not None:
                points = tf.feature_column.input_layer(features, feature_columns)
            elif isinstance(features, dict):
                points = tf.concat([features[name] for name in sorted(features)], axis=1) if len(
                    features) > 1 else next(iter(features.values()))
            else:
                points = features
            made = KMeans(
                points, num_clusters, initial_clusters, distance_metric, use_mini_batch,
                mini_batch_steps_per_iteration, random_seed, kmeans_plus_plus_num_retries,
            ).training_graph()
            distances, indices, scores, is_initialized, init_op, train_op = made
            loss = tf.reduce_sum(scores)
            tf.summary.scalar("loss/raw", loss)
            hooks: list[Any] = [_InitializeClustersHook(init_op, is_initialized)]
            if mode == tf.estimator.ModeKeys.TRAIN:
                hooks.append(_StepCountingHook(tf.assign_add(tf.train.get_global_step(), 1)))
                with tf.control_dependencies([train_op]):
                    train_op = tf.identity(loss, name="control_dependency")
            else:
                train_op = loss
            if relative_tolerance is not None:
                hooks.append(_LossRelativeChangeHook(loss, relative_tolerance))
            outputs = {
                "all_distances": tf.estimator.export.PredictOutput(distances[0]),
                tf.saved_model.signature_constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY:
                    tf.estimator.export.PredictOutput(indices[0]),
                "cluster_index": tf.estimator.export.PredictOutput(indices[0]),
            }
            return tf.estimator.EstimatorSpec(
                mode=mode, loss=loss, train_op=train_op, training_hooks=hooks, export_outputs=outputs,
                predictions={self.ALL_DISTANCES: distances[0], self.CLUSTER_INDEX: indices[0]},
                eval_metric_ops={self.SCORE: tf.metrics.mean(loss)},
            )

        super().__init__(model_fn=model_fn, model_dir=model_dir, config=config)

    def _column(self, input_fn: Callable, key: str) -> Iterator[Any]:
        for each in self.predict(input_fn=input_fn, predict_keys=[key]):
            yield each[key]

    def predict_cluster_index(self, input_fn: Callable) -> Iterator[Any]:
        """The cluster of each point."""
        return self._column(input_fn, self.CLUSTER_INDEX)

    def score(self, input_fn: Callable) -> Any:
        """The sum of the squared distances of points from their centres, over one batch; the lower, the better."""
        return self.evaluate(input_fn=input_fn, steps=1)[self.SCORE]

    def transform(self, input_fn: Callable) -> Iterator[Any]:
        """The distances of each point from all centres."""
        return self._column(input_fn, self.ALL_DISTANCES)

    def cluster_centers(self) -> np.ndarray:
        """The centres."""
        return self.get_variable_value(self.CLUSTER_CENTERS_VAR_NAME)
