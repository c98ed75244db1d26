"""K-means: points to the nearest of some centres, and each centre to the middle of its points."""

from __future__ import annotations

from typing import Any

import ossia as tf
from ossia_core.plugins.api_table import public, public_value

SQUARED_EUCLIDEAN_DISTANCE = "squared_euclidean"
COSINE_DISTANCE = "cosine"
RANDOM_INIT = "random"
KMEANS_PLUS_PLUS_INIT = "kmeans_plus_plus"
KMC2_INIT = "kmc2"
CLUSTERS_VAR_NAME = "clusters"
for _name in ("SQUARED_EUCLIDEAN_DISTANCE", "COSINE_DISTANCE", "RANDOM_INIT", "KMEANS_PLUS_PLUS_INIT"):
    public_value(f"contrib.factorization.{_name}", name=_name)


@public("contrib.factorization.KMeans")
class KMeans:
    """The graph of k-means.

    Args:
      inputs: points `[n, d]`, or a list of such.
      num_clusters: how many clusters.
      initial_clusters: where they begin: `random` points, points far apart (`kmeans_plus_plus`), centres `[k, d]`, or
        a function of the inputs and the number of clusters that makes them.
      distance_metric: `squared_euclidean` or `cosine`.
      use_mini_batch: whether each step moves centres by the points of a batch; else it computes them anew.
      mini_batch_steps_per_iteration: how many batches count as one pass.
      random_seed: of the beginning.
      kmeans_plus_plus_num_retries: how many points are tried for each centre.
      kmc2_chain_length: not used.

    Raises:
      ValueError: a distance or a beginning of another name.
      NotImplementedError: several batches as one pass, or the beginning `kmc2`.
    """

    def __init__(
        self, inputs: Any, num_clusters: Any, initial_clusters: Any = RANDOM_INIT,
        distance_metric: str = SQUARED_EUCLIDEAN_DISTANCE, use_mini_batch: bool = False,
        mini_batch_steps_per_iteration: int = 1, random_seed: int = 0, kmeans_plus_plus_num_retries: int = 2,
        kmc2_chain_length: int = 200,
    ) -> None:
        if isinstance(initial_clusters, str) and initial_clusters not in (
            RANDOM_INIT, KMEANS_PLUS_PLUS_INIT, KMC2_INIT
        ):
            raise ValueError(
                f"Unsupported initialization algorithm '{initial_clusters}',must be a string in [{RANDOM_INIT!r}, "
                f"{KMEANS_PLUS_PLUS_INIT!r}, {KMC2_INIT!r}]"
            )
        if distance_metric not in (SQUARED_EUCLIDEAN_DISTANCE, COSINE_DISTANCE):
            raise ValueError(f"Unsupported distance metric '{distance_metric}',must be squared_euclidean or cosine")
        if isinstance(initial_clusters, str) and initial_clusters == KMC2_INIT:
            raise NotImplementedError("tf.contrib.factorization.KMeans(initial_clusters='kmc2')")
        if use_mini_batch and mini_batch_steps_per_iteration != 1:
            raise NotImplementedError("tf.contrib.factorization.KMeans(mini_batch_steps_per_iteration=...) above 1")
        self._inputs = list(inputs) if isinstance(inputs, list) else [inputs]
        self._num_clusters = num_clusters
        self._initial_clusters = initial_clusters
        self._distance_metric = distance_metric
        self._use_mini_batch = use_mini_batch
        self._random_seed = random_seed
        self._retries = kmeans_plus_plus_num_retries

    def training_graph(self) -> tuple[Any, ...]:
        """Builds it.

        Returns:
          The distances of all points to all centres, the centre of each point, its distance from it (each a tuple, of
          one tensor for each input), a variable that says whether centres are initialised, what initialises them, and
          what makes a step.
        """
        initial = self._initial_clusters
        if isinstance(initial, str) or callable(initial):
            count = tf.convert_to_tensor(self._num_clusters)
        else:
            self._initial_clusters = tf.convert_to_tensor(initial, dtype=tf.float32)
            count = tf.shape(self._initial_clusters)[0]
        centers = tf.Variable(
            tf.convert_to_tensor([], dtype=tf.float32), name=CLUSTERS_VAR_NAME, validate_shape=False
        )
        initialized = tf.Variable(False, dtype=tf.bool, name="initialized")
        counts = tf.Variable(tf.ones([count], dtype=tf.int64)) if self._use_mini_batch else None
        init_op = _Beginning(self, count, centers, initialized).op()
        points: list[Any] = self._inputs
        normalized: Any = centers
        if self._distance_metric == COSINE_DISTANCE:
            points = [_normalized(each) for each in points]
            normalized = tf.nn.l2_normalize(centers, axis=1) if self._use_mini_batch else centers
        distances = [self._distances(each, normalized) for each in points]
        scores, indices = self._nearest(points, normalized)
        if counts is None:
            train_op = self._full_step(points, indices, count, centers)
        else:
            train_op = self._batch_step(points, indices, centers, counts)
        return tuple(distances), tuple(indices), tuple(scores), initialized, init_op, train_op

    def _distances(self, points: Any, centers: Any) -> Any:
        with tf.colocate_with(points, ignore_existing=True):
            if self._distance_metric == COSINE_DISTANCE:
                return 1 - tf.matmul(points, centers, transpose_b=True)
            return (
                tf.reduce_sum(tf.square(points), 1, keepdims=True)
                - 2 * tf.matmul(points, centers, transpose_b=True)
                + tf.transpose(tf.reduce_sum(tf.square(centers), 1, keepdims=True))
            )

    def _nearest(self, batches: list[Any], centers: Any) -> tuple[list[Any], list[Any]]:
        scores, indices = [], []
        if self._distance_metric == COSINE_DISTANCE and self._use_mini_batch:
            centers = tf.nn.l2_normalize(centers, axis=1)
        for points in batches:
            with tf.colocate_with(points, ignore_existing=True):
                nearest, distances = tf.raw_ops.NearestNeighbors(points=points, centers=centers, k=1)
                if self._distance_metric == COSINE_DISTANCE:
                    distances *= 0.5
                scores.append(tf.squeeze(distances, [-1]))
                indices.append(tf.squeeze(nearest, [-1]))
        return scores, indices

    def _full_step(self, batches: list[Any], indices: list[Any], count: Any, centers: Any) -> Any:
        """Each centre becomes the mean of its points."""
        sums, sizes = [], []
        epsilon = tf.constant(1e-6, dtype=batches[0].dtype)
        for points, nearest in zip(batches, indices):
            with tf.colocate_with(points, ignore_existing=True):
                sums.append(tf.unsorted_segment_sum(points, nearest, count))
                ones = tf.reshape(tf.ones(tf.reshape(tf.shape(points)[0], [-1])), [-1, 1])
                sizes.append(tf.unsorted_segment_sum(ones, nearest, count))
        with tf.colocate_with(centers, ignore_existing=True):
            means = tf.add_n(sums) / (tf.cast(tf.add_n(sizes), batches[0].dtype) + epsilon)
            if self._distance_metric == COSINE_DISTANCE:
                means = tf.nn.l2_normalize(means, axis=1)
            return tf.assign(centers, means)

    def _batch_step(self, batches: list[Any], indices: list[Any], centers: Any, counts: Any) -> Any:
        """Each centre moves towards its points, the less the more points it has seen."""
        steps: list[Any] = []
        for points, nearest in zip(batches, indices):
            before = steps[-1] if steps else tf.no_op()
            with tf.control_dependencies([before]), tf.colocate_with(points, ignore_existing=True):
                unique, places = tf.unique(tf.reshape(nearest, [-1]))
                size = tf.size(unique)
                with tf.colocate_with(counts, ignore_existing=True):
                    old_counts = tf.gather(counts, unique)
                with tf.colocate_with(centers, ignore_existing=True):
                    old = tf.gather(centers, unique)
                added = tf.unsorted_segment_sum(tf.ones_like(places, dtype=tf.int64), places, size)
                sums = tf.unsorted_segment_sum(points, places, size)
                shape = tf.concat([tf.reshape(size, [1]), tf.ones(tf.reshape(tf.rank(sums) - 1, [1]), tf.int32)], 0)
                sums -= tf.cast(tf.reshape(added, shape), points.dtype) * old
                rate = tf.math.reciprocal(tf.cast(old_counts + added, points.dtype))
                sums *= tf.reshape(rate, shape)
            moved = [tf.scatter_add(counts, unique, added), tf.scatter_add(centers, unique, sums)]
            steps.append(tf.group(before, *moved))
        return tf.group(*steps) if len(steps) > 1 else steps[0]


def _normalized(points: Any) -> Any:
    with tf.colocate_with(points, ignore_existing=True):
        return tf.nn.l2_normalize(points, axis=1)


class _Beginning:
    """Chooses the first centres, as many at a time as the inputs of a step allow."""

    def __init__(self, model: KMeans, count: Any, centers: Any, initialized: Any) -> None:
        self._model = model
        self._count = count
        self._centers = centers
        self._initialized = initialized
        self._selected = tf.shape(centers)[0]
        self._remaining = count - self._selected
        self._rows = tf.add_n([tf.shape(each)[0] for each in model._inputs])

    def op(self) -> Any:
        """What adds centres until all are there."""
        return tf.cond(
            tf.equal(self._remaining, 0), lambda: tf.debugging.assert_equal(self._initialized, True), self._add
        )

    def _add(self) -> Any:
        initial = self._model._initial_clusters
        with tf.control_dependencies([tf.assert_positive(self._remaining)]):
            if isinstance(initial, str):
                new = self._random() if initial == RANDOM_INIT else self._plus_plus()
            elif callable(initial):
                new = initial(self._model._inputs, self._remaining)
            else:
                tf.debugging.assert_equal(self._remaining, tf.shape(initial)[0])
                new = initial
            return self._assigned(new)

    def _assigned(self, added: Any) -> Any:
        if self._model._distance_metric == COSINE_DISTANCE:
            added = tf.nn.l2_normalize(added, axis=1)
        new = tf.cond(tf.equal(self._selected, 0), lambda: added, lambda: tf.concat([self._centers, added], 0))
        assigned = tf.assign(self._centers, new, validate_shape=False)
        left = self._count - tf.shape(assigned)[0]
        return tf.cond(tf.equal(left, 0), lambda: tf.assign(self._initialized, True), lambda: tf.no_op())

    def _all_points(self) -> Any:
        return tf.concat(self._model._inputs, 0)

    def _random(self) -> Any:
        def some() -> Any:
            chosen = tf.random_uniform(
                tf.reshape(self._remaining, [-1]), minval=0, maxval=tf.cast(self._rows, tf.int64),
                seed=self._model._random_seed, dtype=tf.int64,
            )
            return tf.nn.embedding_lookup(self._model._inputs, chosen, partition_strategy="div")

        return tf.cond(tf.less_equal(self._rows, self._remaining), self._all_points, some)

    def _plus_plus(self) -> Any:
        points = self._model._inputs[0]
        with tf.control_dependencies([tf.assert_greater_equal(self._rows, self._remaining)]):
            if self._model._distance_metric == COSINE_DISTANCE:
                points = tf.nn.l2_normalize(points, axis=1)
            return tf.raw_ops.KmeansPlusPlusInitialization(
                points=points, num_to_sample=tf.cast(self._remaining, tf.int64), seed=self._model._random_seed,
                num_retries_per_sample=self._model._retries,
            )

