"""Ensembles that grow, are pruned and predict; statistics, splits and quantiles: values as the original's."""

import numpy as np
from golden_case import Case

KINDS = ["none", "pre", "post"]


def stats(seed, splits=3, buckets=4):
    random = np.random.RandomState(seed)
    numbers = random.randn(splits, buckets, 2)
    numbers[..., 1] = np.abs(numbers[..., 1])
    return numbers.astype(np.float32)


def gains(tf, **options):
    given = dict(node_id_range=[0, 3], stats_summary_list=[stats(1), stats(2)], l1=0.0, l2=0.0, tree_complexity=0.0,
                 min_node_weight=0.0, max_splits=3)
    given.update(options)
    return Case(list(tf.raw_ops.BoostedTreesCalculateBestGainsPerFeature(**given)), graph=False)


def case_gains(tf):
    return gains(tf)


def case_gains_l1(tf):
    return gains(tf, l1=0.5)


def case_gains_l2_and_complexity(tf):
    return gains(tf, l2=1.0, tree_complexity=0.3)


def case_gains_of_heavy_nodes(tf):
    return gains(tf, min_node_weight=3.0)


def case_gains_of_no_node(tf):
    return gains(tf, node_id_range=[1, 1])


def case_gains_of_nothing(tf):
    return gains(tf, stats_summary_list=[stats(1) * 0, stats(2)])


def case_statistics(tf):
    summary = tf.raw_ops.BoostedTreesMakeStatsSummary(
        node_ids=[0, 2, 0, 1], gradients=[[1.0], [2.0], [3.0], [-1.0]], hessians=[[0.5], [0.25], [1.0], [2.0]],
        bucketized_features_list=[[0, 1, 0, 3], [1, 1, 0, 2]], max_splits=3, num_buckets=4)
    return Case(summary, graph=False)


def case_statistics_of_one_feature(tf):
    summary = tf.raw_ops.BoostedTreesAggregateStats(
        node_ids=[0, 1, 0], gradients=[[1.0], [2.0], [3.0]], hessians=[[0.5], [0.25], [1.0]],
        feature=[[0, 2], [1, 1], [-1, 0]], max_splits=2, num_buckets=3)
    return Case(tf.placeholder_with_default(summary, None), graph=False)  # the original's static shape is another


def case_buckets(tf):
    made = tf.raw_ops.BoostedTreesBucketize(
        float_values=[[1.0, 2.0, 2.5, 9.0, float("nan"), -1.0], [0.0, 5.0, 2.0, 1.0, 3.0, 2.5]], bucket_boundaries=[[1.0, 2.0, 3.0], [2.0]])
    none = tf.raw_ops.BoostedTreesBucketize(float_values=[[1.0, 2.0]], bucket_boundaries=[tf.zeros([0])])
    return Case([made, none], graph=False)


def case_quantiles(tf):
    random = np.random.RandomState(3)
    ops, made = tf.raw_ops, []
    for i, (epsilon, count, buckets) in enumerate([(0.5, 7, 2), (0.1, 60, 10), (0.01, 200, 100), (0.03, 500, 4)]):
        handle = ops.BoostedTreesQuantileStreamResourceHandleOp(container="", shared_name="q%d" % i)
        steps = [ops.BoostedTreesCreateQuantileStreamResource(
            quantile_stream_resource_handle=handle, epsilon=epsilon, num_streams=2)]
        for _ in range(3):
            with tf.control_dependencies(steps[-1:]):
                summaries = ops.BoostedTreesMakeQuantileSummaries(
                    float_values=[random.randn(count).astype(np.float32), random.randint(0, 9, count) * 1.0],
                    example_weights=np.ones(count, np.float32), epsilon=epsilon)
                steps.append(ops.BoostedTreesQuantileStreamResourceAddSummaries(
                    quantile_stream_resource_handle=handle, summaries=summaries))
        with tf.control_dependencies(steps[-1:]):
            flush = ops.BoostedTreesQuantileStreamResourceFlush(
                quantile_stream_resource_handle=handle, num_buckets=buckets)
        with tf.control_dependencies([flush]):
            made.append([summaries, ops.BoostedTreesQuantileStreamResourceGetBucketBoundaries(
                quantile_stream_resource_handle=handle, num_features=2)])
    return Case(made, graph=False)


def grown(tf, pruning, seed, depth, centered):
    """Layers of random splits; what is fetched after each."""
    ops, random = tf.raw_ops, np.random.RandomState(seed)
    handle = ops.BoostedTreesEnsembleResourceHandleOp(container="", shared_name="trees")
    last = ops.BoostedTreesCreateEnsemble(tree_ensemble_handle=handle, stamp_token=0, tree_ensemble_serialized="")
    features = [random.randint(0, 4, 6).astype(np.int32) for _ in range(2)]
    trees, nodes, fetches = tf.zeros([6], tf.int32), -tf.ones([6], tf.int32), []
    if centered:
        with tf.control_dependencies([last]):
            last = ops.BoostedTreesCenterBias(
                tree_ensemble_handle=handle, mean_gradients=[[1.0]], mean_hessians=[[2.0]], l1=0.25, l2=0.5).op
    for _ in range(5):
        draws = [(random.rand(16), random.randn(16) + 0.1, random.randint(0, 3, 16), random.randn(16, 2)) for _ in "ab"]
        with tf.control_dependencies([last]):
            span = ops.BoostedTreesGetEnsembleStates(tree_ensemble_handle=handle).last_layer_nodes_range
            columns = []
            for keep, gain, limit, sides in draws:
                all_nodes = tf.range(span[0], span[1])
                chosen = tf.boolean_mask(all_nodes, tf.gather(tf.constant(keep < 0.8), all_nodes % 16))
                pick = [tf.gather(tf.constant(x), chosen % 16) for x in (gain.astype(np.float32),
                                                                       limit.astype(np.int32), sides.astype(np.float32))]
                columns.append([chosen, pick[0], pick[1], pick[2][:, :1], pick[2][:, 1:]])
            ids, gain, limit, left, right = zip(*columns)
            last = ops.BoostedTreesUpdateEnsemble(
                tree_ensemble_handle=handle, feature_ids=[1, 0], node_ids=ids, gains=gain, thresholds=limit,
                left_node_contribs=left, right_node_contribs=right, max_depth=depth, learning_rate=0.5,
                pruning_mode=pruning)
        with tf.control_dependencies([last]):
            states = ops.BoostedTreesGetEnsembleStates(tree_ensemble_handle=handle)
            serialized = ops.BoostedTreesSerializeEnsemble(tree_ensemble_handle=handle)
            partial, trees, nodes = ops.BoostedTreesTrainingPredict(
                tree_ensemble_handle=handle, cached_tree_ids=trees, cached_node_ids=nodes,
                bucketized_features=features, logits_dimension=1)
            logits = ops.BoostedTreesPredict(
                tree_ensemble_handle=handle, bucketized_features=features, logits_dimension=1)
            fetches.append([list(states), list(serialized), partial, trees, nodes, logits])
        with tf.control_dependencies([states.stamp_token, serialized.stamp_token, partial, logits]):
            last = tf.no_op()
    return Case(fetches, graph=False)


for number in range(9):
    globals()["case_grown_%s_%d" % (KINDS[number % 3], number)] = lambda tf, number=number: grown(
        tf, number % 3, number, 1 + number % 4, number % 2 == 0)


def case_explained(tf):
    ops = tf.raw_ops
    handle = ops.BoostedTreesEnsembleResourceHandleOp(container="", shared_name="trees")
    last = ops.BoostedTreesCreateEnsemble(tree_ensemble_handle=handle, stamp_token=0, tree_ensemble_serialized="")
    with tf.control_dependencies([last]):
        last = ops.BoostedTreesCenterBias(
            tree_ensemble_handle=handle, mean_gradients=[[1.0]], mean_hessians=[[2.0]], l1=0.0, l2=0.0)
    with tf.control_dependencies([last]):
        last = ops.BoostedTreesUpdateEnsemble(
            tree_ensemble_handle=handle, feature_ids=[1], node_ids=[[0]], gains=[[1.0]], thresholds=[[1]],
            left_node_contribs=[[[2.0]]], right_node_contribs=[[[-3.0]]], max_depth=2, learning_rate=0.5, pruning_mode=0)
    with tf.control_dependencies([last]):
        return Case(ops.BoostedTreesExampleDebugOutputs(
            tree_ensemble_handle=handle, bucketized_features=[[0, 1, 2], [0, 1, 2]], logits_dimension=1), graph=False)


def _examples(seed, dimensions, logits=1, hessians=1):
    random = np.random.RandomState(seed)
    nodes = random.randint(0, 2, 20).astype(np.int32)
    gradients = random.randn(20, logits).astype(np.float32)
    matrices = random.rand(20, logits, logits).astype(np.float32)
    matrices = matrices + np.swapaxes(matrices, 1, 2) + 4 * np.eye(logits, dtype=np.float32)
    weights = random.rand(20, logits) if hessians == logits else matrices.reshape(20, -1)
    return nodes, gradients, weights.astype(np.float32), random.randint(-1, 4, (20, dimensions)).astype(np.int32)


def flat(tf, found):
    """The values in a row: the original says that contributions are vectors, which they are not."""
    return Case([tf.reshape(value, [-1]) for value in found], graph=False)


def feature_split(tf, split_type, seed=0, dimensions=2, logits=1, hessians=1, **options):
    nodes, gradients, weights, feature = _examples(seed, dimensions, logits, hessians)
    stats = tf.raw_ops.BoostedTreesAggregateStats(
        node_ids=nodes, gradients=gradients, hessians=weights, feature=feature, max_splits=3, num_buckets=4)
    given = dict(node_id_range=[0, 2], l1=0.0, l2=1.0, tree_complexity=0.0, min_node_weight=0.0)
    given.update(options)
    found = tf.raw_ops.BoostedTreesCalculateBestFeatureSplit(
        stats_summary=stats, logits_dimension=logits, split_type=split_type, **given)
    return flat(tf, found)  # the shape that the original infers for the statistics is not that of their values


def case_feature_split(tf):
    return feature_split(tf, "inequality", l1=0.1, tree_complexity=0.2)


def case_feature_split_equality(tf):
    return feature_split(tf, "equality", seed=1, dimensions=3)


def case_feature_split_of_heavy_nodes(tf):
    return feature_split(tf, "inequality", seed=2, min_node_weight=5.5, node_id_range=[0, 3])


def case_feature_split_of_logits(tf):
    return feature_split(tf, "inequality", seed=3, logits=3, hessians=3)


def case_feature_split_of_matrices(tf):
    return feature_split(tf, "equality", seed=4, logits=2, hessians=4)


def sparse_split(tf, seed, dimensions, **options):
    nodes, gradients, weights, feature = _examples(seed, dimensions)
    indices = np.argwhere(feature >= 0).astype(np.int32)
    stats = tf.raw_ops.BoostedTreesSparseAggregateStats(
        node_ids=nodes, gradients=gradients, hessians=weights, feature_indices=indices,
        feature_values=feature[feature >= 0], feature_shape=[20, dimensions], max_splits=3, num_buckets=4)
    given = dict(node_id_range=[0, 2], l1=0.0, l2=1.0, tree_complexity=0.0, min_node_weight=0.0)
    given.update(options)
    found = tf.raw_ops.BoostedTreesSparseCalculateBestFeatureSplit(
        stats_summary_indices=stats[0], stats_summary_values=stats[1], stats_summary_shape=stats[2],
        logits_dimension=1, **given)
    return flat(tf, [*stats, *found])


def case_sparse_split(tf):
    return sparse_split(tf, 0, 1)


def case_sparse_split_of_dimensions(tf):
    return sparse_split(tf, 1, 3, l1=0.1, tree_complexity=0.3)


def case_sparse_split_of_heavy_nodes(tf):
    return sparse_split(tf, 2, 2, min_node_weight=5.5)
