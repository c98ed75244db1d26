"""K-means, by hand as the tutorials did it, by tf.contrib.factorization, and as an estimator."""
import numpy as np
import tensorflow as tf
from tensorflow.contrib.factorization import KMeans

tf.logging.set_verbosity(tf.logging.ERROR)
random = np.random.RandomState(0)
centers = np.array([[0, 0], [5, 5], [0, 5]], np.float32)
points = np.concatenate([c + random.randn(20, 2) * 0.5 for c in centers]).astype(np.float32)
random.shuffle(points)

# by hand
vectors = tf.constant(points)
centroids = tf.Variable(tf.slice(tf.random_shuffle(vectors, seed=1), [0, 0], [3, -1]))
expanded_vectors = tf.expand_dims(vectors, 0)
expanded_centroids = tf.expand_dims(centroids, 1)
distances = tf.reduce_sum(tf.square(tf.subtract(expanded_vectors, expanded_centroids)), 2)
assignments = tf.argmin(distances, 0)
means = tf.concat([
    tf.reduce_mean(tf.gather(vectors, tf.reshape(tf.where(tf.equal(assignments, c)), [1, -1])),
                   reduction_indices=[1]) for c in range(3)], 0)
update = tf.assign(centroids, means)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(6):
        _, where, who = sess.run([update, centroids, assignments])
print(np.round(where[np.argsort(where.sum(1))], 3), np.bincount(who))

# the clustering of tf.contrib
with tf.Graph().as_default():
    tf.set_random_seed(3)
    X = tf.placeholder(tf.float32, shape=[None, 2])
    kmeans = KMeans(inputs=X, num_clusters=3, distance_metric="squared_euclidean", use_mini_batch=False)
    (all_scores, cluster_idx, scores, cluster_centers_initialized, init_op, train_op) = kmeans.training_graph()
    cluster_idx = cluster_idx[0]
    avg_distance = tf.reduce_mean(scores)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer(), feed_dict={X: points})
        sess.run(init_op, feed_dict={X: points})
        for i in range(1, 6):
            _, d, idx = sess.run([train_op, avg_distance, cluster_idx], feed_dict={X: points})
            print("Step %i, Avg Distance: %.4f" % (i, d))
        print(sorted(np.bincount(idx)))


# the estimator
def input_fn():
    return tf.train.limit_epochs(tf.convert_to_tensor(points, dtype=tf.float32), num_epochs=1)


estimator = tf.contrib.factorization.KMeansClustering(num_clusters=3, use_mini_batch=False, random_seed=5,
                                                      model_dir="kmeans")
previous = None
for _ in range(3):
    estimator.train(input_fn)
    found = estimator.cluster_centers()
    if previous is not None:
        print("delta: %.4f" % np.abs(found - previous).sum())
    previous = found
    print("score: %.3f" % estimator.score(input_fn))
print(np.round(found[np.argsort(found.sum(1))], 3))
print(np.bincount(list(estimator.predict_cluster_index(input_fn))))
