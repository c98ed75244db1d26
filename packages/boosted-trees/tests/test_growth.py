"""Growth, predictions, splits and quantiles as the original's; what is refused."""
import pytest

import ossia as tf
from ossia_testkit.golden import golden_tests

test_values = golden_tests(__file__, "growth_cases.py")


def trees(serialized=b"", name="trees"):
    handle = tf.raw_ops.BoostedTreesEnsembleResourceHandleOp(container="", shared_name=name)
    made = tf.raw_ops.BoostedTreesCreateEnsemble(
        tree_ensemble_handle=handle, stamp_token=1, tree_ensemble_serialized=serialized)
    return handle, made


def predicted(handle, features, dimension=1):
    return tf.raw_ops.BoostedTreesPredict(
        tree_ensemble_handle=handle, bucketized_features=features, logits_dimension=dimension)


def tree(text):
    from google.protobuf import text_format

    from ossia_core.proto import TreeEnsemble

    return text_format.Parse(text, TreeEnsemble()).SerializeToString()


SPLIT = "trees{nodes{bucketized_split{feature_id:%d left_id:%d right_id:2}} nodes{leaf{scalar:1}} nodes{leaf{}}}"
META = " tree_weights:1 tree_metadata{}"


@pytest.mark.parametrize("serialized", [
    b"no ensemble", tree("trees{}" + META), tree("trees{nodes{}}" + META), tree(SPLIT % (0, 0) + META),
    tree(SPLIT % (0, 7) + META), tree(SPLIT % (-1, 1) + META), tree(SPLIT % (0, 1)),
], ids="garbage nothing neither loop outside negative weightless".split())
def test_hostile_ensembles_are_refused(serialized):
    with tf.Graph().as_default(), tf.Session() as session:
        _, made = trees(serialized)
        with pytest.raises(tf.errors.InvalidArgumentError):
            session.run(made)


@pytest.mark.parametrize("features, dimension", [([[0]], 1), ([[0], [0], [0], [0]], 2)], ids=["fewer", "logits"])
def test_predictions_that_cannot_be_are_refused(features, dimension):
    with tf.Graph().as_default(), tf.Session() as session:
        handle, made = trees(tree(SPLIT % (3, 1) + META))
        session.run(made)
        with pytest.raises(tf.errors.InvalidArgumentError):
            session.run(predicted(handle, features, dimension))


def test_what_has_not_been_made_is_not_found():
    with tf.Graph().as_default(), tf.Session() as session:
        handle, _ = trees(name="never made")
        with pytest.raises(tf.errors.NotFoundError):
            session.run(predicted(handle, [[0]]))


def test_saved_and_restored(tmp_path):
    from ossia_boosted_trees.quantile_accumulator import QuantileAccumulator
    from ossia_boosted_trees.tree_ensemble import TreeEnsemble

    serialized = tree(SPLIT % (0, 1) + META)
    with tf.Graph().as_default(), tf.Session() as session:
        ensemble = TreeEnsemble("trees", 5, serialized_proto=serialized)
        quantiles = QuantileAccumulator(0.1, 1, 10, name="quantiles")
        session.run([ensemble.initializer, quantiles.initializer])
        session.run(quantiles.add_summaries([tf.constant([1.0, 2.0, 3.0])], tf.ones([1])))
        session.run(quantiles.flush())
        boundaries = session.run(quantiles.get_bucket_boundaries())[0].tolist()
        path = tf.train.Saver().save(session, str(tmp_path / "model"))
    assert [name for name, _ in tf.train.list_variables(path)] == [
        "quantiles:0_bucket_boundaries_0", "trees:0_serialized", "trees:0_stamp"]
    with tf.Graph().as_default(), tf.Session() as session:
        ensemble, quantiles = TreeEnsemble("trees"), QuantileAccumulator(0.1, 1, 10, name="quantiles")
        tf.train.Saver().restore(session, path)
        assert session.run(list(ensemble.serialize())) == [5, serialized]
        assert session.run(quantiles.get_bucket_boundaries())[0].tolist() == boundaries == [1.0, 3.0]


@pytest.mark.parametrize("stats, options", [
    ([[[[1.0, 1.0], [2.0, 2.0]]]], dict(node_id_range=[0, 2])), ([[[[1.0, 1.0]]]], {}), ([[[[1.0], [1.0]]]], {}),
    ([[[[1.0, 1.0, 0.0, 0.0, 0.0, 0.0]] * 2]], dict(logits_dimension=2)),
], ids="nodes buckets columns singular".split())
def test_splits_that_cannot_be_are_refused(stats, options):
    given = dict(node_id_range=[0, 1], l1=0.0, l2=0.0, tree_complexity=0.0, min_node_weight=0.0, logits_dimension=1)
    with tf.Graph().as_default(), tf.Session() as session:
        found = tf.raw_ops.BoostedTreesCalculateBestFeatureSplit(stats_summary=stats, **{**given, **options})
        with pytest.raises(tf.errors.InvalidArgumentError):
            session.run(found)
