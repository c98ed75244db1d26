"""Boosted trees as the original's; what is refused."""
import pytest

import ossia as tf
from ossia_core.variables.creation import disable_resource_variables, resource_variables_enabled
from ossia_testkit.golden import golden_tests

test_values = golden_tests(__file__, "boosted_trees_cases.py")


@pytest.fixture(autouse=True)
def variables():
    before = resource_variables_enabled()
    yield
    if not before:
        disable_resource_variables()


def one(column, **options):
    return tf.estimator.BoostedTreesClassifier([column], n_batches_per_layer=1, **options)


def fit(column, tmp_path):
    trees = one(column, model_dir=str(tmp_path))
    trees.train(lambda: tf.data.Dataset.from_tensors(({"c": [["a"], ["b"]], "x": [[1.0], [2.0]]}, [0, 1])), steps=1)


def test_columns_that_trees_cannot_split(tmp_path):
    words = tf.feature_column.categorical_column_with_vocabulary_list("c", ["a", "b"])
    with pytest.raises(ValueError, match="must be wrapped by IndicatorColumn"):
        fit(words, tmp_path)
    with pytest.raises(ValueError, match="feature column type"):
        fit(tf.feature_column.embedding_column(words, 2), tmp_path)


def test_more_outputs_than_one():
    column = tf.feature_column.numeric_column("x")
    with pytest.raises(ValueError, match="multi class"):
        one(column, n_classes=3)
    with pytest.raises(ValueError, match="multi-dimension"):
        tf.estimator.BoostedTreesRegressor([column], 1, label_dimension=2)


def test_explanations_need_a_centered_bias(tmp_path):
    trees = one(tf.feature_column.numeric_column("x"), model_dir=str(tmp_path))
    with pytest.raises(ValueError, match="center_bias must be enabled"):
        next(trees.experimental_predict_with_explanations(lambda: {"x": [[1.0]]}))
    with pytest.raises(ValueError):
        trees.experimental_feature_importances()
