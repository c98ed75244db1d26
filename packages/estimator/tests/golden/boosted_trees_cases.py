"""Boosted trees trained some layers: metrics, importances and explanations as the original's."""

import tempfile

import numpy as np


def data():
    random = np.random.RandomState(0)
    numbers, words = random.randn(60, 3).astype(np.float32), random.choice(["a", "b", "c"], 60)
    target = (numbers[:, 0] ** 2 + numbers[:, 1] + (words == "a")).astype(np.float32)
    features = {"v": numbers[:, :2], "z": numbers[:, 2:], "c": words, "w": random.rand(60).astype(np.float32)}
    return features, target


def columns(tf):
    fc = tf.feature_column
    words = fc.categorical_column_with_vocabulary_list("c", ["a", "b", "c"])
    return [fc.numeric_column("v", shape=2), fc.bucketized_column(fc.numeric_column("z"), [-1.0, 0.0, 1.0]),
            fc.indicator_column(words)]


def trained(tf, kind, binary=False, batch=60, names=None, explain=False, **options):
    tf.logging.set_verbosity("ERROR")
    features, target = data()
    labels = (target > 0.5).astype(np.int64) if binary else target
    if names:
        labels = np.array(names)[labels]

    def batches():
        if batch == 60:
            return tf.data.Dataset.from_tensors((features, labels)).repeat()
        return tf.data.Dataset.from_tensor_slices((features, labels)).batch(batch).repeat()

    def once():
        return tf.data.Dataset.from_tensors((features, labels))

    config = tf.estimator.RunConfig(tf_random_seed=1, model_dir=tempfile.mkdtemp())
    trees = kind(columns(tf), n_batches_per_layer=60 // batch, config=config, n_trees=4, max_depth=2, **options)
    trees.train(batches, max_steps=60)
    metrics = trees.evaluate(once)
    found = [["%s %.4f" % (key, value) for key, value in sorted(metrics.items())],
             ["%s %.4f" % item for item in trees.experimental_feature_importances().items()],
             sorted(trees.get_variable_names())]
    if explain:
        explained = trees.experimental_predict_with_explanations(once)
        found.append([["%.4f" % next_one["bias"]] + ["%s %.4f" % item for item in next_one["dfc"].items()]
                      for next_one, _ in zip(explained, range(3))])
        explained.close()  # it would leave its graph whenever it is collected, in the midst of another one
    return found


def case_regressor(tf):
    return trained(tf, tf.estimator.BoostedTreesRegressor)


def case_regressor_centered(tf):
    return trained(tf, tf.estimator.BoostedTreesRegressor, center_bias=True, l1_regularization=0.01, explain=True)


def case_regressor_in_batches(tf):
    return trained(tf, tf.estimator.BoostedTreesRegressor, batch=20, learning_rate=0.5, l2_regularization=0.1)


def case_regressor_pruned(tf):
    return trained(tf, tf.estimator.BoostedTreesRegressor, pruning_mode="post", tree_complexity=0.05)


def case_regressor_weighted(tf):
    return trained(tf, tf.estimator.BoostedTreesRegressor, weight_column="w")


def case_classifier(tf):
    return trained(tf, tf.estimator.BoostedTreesClassifier, binary=True)


def case_classifier_centered(tf):
    return trained(tf, tf.estimator.BoostedTreesClassifier, binary=True, center_bias=True, explain=True,
                   pruning_mode="pre", tree_complexity=0.01)


def case_classifier_in_memory(tf):
    return trained(tf, tf.estimator.BoostedTreesClassifier, binary=True, train_in_memory=True, center_bias=True)


def case_classifier_of_names(tf):
    return trained(tf, tf.estimator.BoostedTreesClassifier, binary=True, names=["no", "yes"], weight_column="w")
