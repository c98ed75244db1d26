"""K-means as a graph and as an estimator."""
import tempfile

import numpy as np
from golden_case import raises

RANDOM = np.random.RandomState(0)
POINTS = (RANDOM.rand(12, 2) + np.repeat([[0, 0], [5, 5], [0, 5]], 4, 0)).astype(np.float32)


def trained(tf, **options):
    model = tf.contrib.factorization.KMeans(tf.constant(POINTS), 3, random_seed=2, **options)
    _, indices, scores, initialized, init_op, train_op = model.training_graph()
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(init_op)
        for _ in range(3):
            session.run(train_op)
        groups, left, centers = session.run([indices[0], scores[0], "clusters:0"])
        return [groups.tolist(), [round(float(each), 2) for each in left], centers.round(3).tolist(), bool(session.run(initialized)), [v.name for v in tf.global_variables()]]


def case_full_batches(tf):
    return trained(tf)


def case_far_apart(tf):
    return trained(tf, initial_clusters="kmeans_plus_plus")


def case_cosine(tf):
    return trained(tf, distance_metric="cosine", initial_clusters="kmeans_plus_plus")


def case_mini_batches(tf):
    model = tf.contrib.factorization.KMeans(tf.constant(POINTS), 3, random_seed=2, use_mini_batch=True, initial_clusters="kmeans_plus_plus")
    return [each.name for each in model.training_graph()[3:]]  # its steps read what they update, in any order


def case_given_centers(tf):
    return trained(tf, initial_clusters=[[0.0, 0.0], [5.0, 5.0], [0.0, 5.0]])


def case_refused(tf):
    kind = tf.contrib.factorization.KMeans
    return [raises(lambda: kind([tf.zeros([2, 2])], 2, "none")), raises(lambda: kind([tf.zeros([2, 2])], 2, distance_metric="none"))]


def case_estimator(tf):
    model = tf.contrib.factorization.KMeansClustering(3, tempfile.mkdtemp(), random_seed=3, use_mini_batch=False)
    input_fn = lambda: tf.train.limit_epochs(tf.convert_to_tensor(POINTS), num_epochs=1)
    scores = []
    for _ in range(4):
        model.train(input_fn)
        scores.append(round(float(model.score(input_fn)), 3))
    rows = [[round(float(each), 2) for each in row] for row in model.transform(input_fn)]
    return [scores, model.cluster_centers().round(3).tolist(), [int(each) for each in model.predict_cluster_index(input_fn)], rows, model.get_variable_names()]
