"""Linear models trained by dual coordinate ascent. What they learn depends on an order of examples that no seed fixes."""

import tempfile

import numpy as np


def model(tf, loss="logistic_loss", n=None, parts=1, **o):
    LO = tf.contrib.linear_optimizer
    ex = {
        "sparse_features": [
            LO.SparseFeatureColumn(
                tf.constant([0, 1, 2], tf.int64), tf.constant([0, 1, 1], tf.int64), tf.constant([1.0, 1.0, 1.0])
            ),
            LO.SparseFeatureColumn(
                tf.constant([0, 1, 2], tf.int64), tf.constant([0, 1, 1], tf.int64), tf.constant([1.0, 2.0, 3.0])
            ),
        ],
        "dense_features": [tf.constant([[1.0], [2.0], [3.0]])],
        "example_weights": tf.constant([1.0, 1.0, 2.0]),
        "example_labels": tf.constant([0.0, 1.0, 1.0]),
        "example_ids": tf.constant(["a", "b", "c"]),
    }
    va = {
        "sparse_features_weights": [tf.Variable(tf.zeros([4]), name="s1"), tf.Variable(tf.zeros([4]), name="s2")],
        "dense_features_weights": [tf.Variable(tf.zeros([1]), name="d")],
    }
    op = dict(
        symmetric_l2_regularization=1.0,
        symmetric_l1_regularization=0.5,
        loss_type=loss,
        num_loss_partitions=parts,
        num_table_shards=n,
    )
    op.update(o)
    m = LO.SdcaModel(ex, va, op)
    return m, ex


def all_(tf, **k):
    m, ex = model(tf, **k)
    m.predictions(ex)
    mi = m.minimize(tf.train.get_or_create_global_step())
    u = m.update_weights(mi)
    m.approximate_duality_gap()
    r = m.regularized_loss(ex)
    m.unregularized_loss(ex)
    out = []
    with tf.Session() as s:
        s.run(tf.global_variables_initializer())
        s.run(tf.tables_initializer())
        for _i in range(40):
            s.run(mi)
        s.run(u)
        out = [[round(float(v), 1) for v in np.ravel(x)] for x in s.run([r])]
    return out


def case_log(tf):
    return all_(tf)


def case_log_shards(tf):
    return all_(tf, n=3, adaptive=True)


def case_hinge(tf):
    return all_(tf, loss="hinge_loss")


def case_smooth(tf):
    return all_(tf, loss="smooth_hinge_loss")


def case_sq(tf):
    return all_(tf, loss="squared_loss", parts=2)


def case_poisson(tf):
    return all_(tf, loss="poisson_loss")


def case_bad(tf):
    return all_(tf, loss="nope")


def case_none_train(tf):
    LO = tf.contrib.linear_optimizer
    ex = {
        "sparse_features": [
            LO.SparseFeatureColumn(tf.constant([0, 1, 2], tf.int64), tf.constant([0, 1, 1], tf.int64), None)
        ],
        "dense_features": [],
        "example_weights": tf.constant([1.0, 1.0, 2.0]),
        "example_labels": tf.constant([0.0, 1.0, 1.0]),
        "example_ids": tf.constant(["a", "b", "c"]),
    }
    va = {"sparse_features_weights": [tf.Variable(tf.zeros([4]), name="s1")], "dense_features_weights": []}
    m = LO.SdcaModel(
        ex, va, dict(symmetric_l2_regularization=1.0, symmetric_l1_regularization=0.0, loss_type="logistic_loss")
    )
    return m.minimize(name="mini").name


def case_part(tf):
    LO = tf.contrib.linear_optimizer
    ex = {
        "sparse_features": [
            LO.SparseFeatureColumn(
                tf.constant([0, 1, 2], tf.int64), tf.constant([0, 1, 5], tf.int64), tf.constant([1.0, 2.0, 3.0])
            )
        ],
        "dense_features": [],
        "example_weights": tf.constant([1.0, 1.0, 2.0]),
        "example_labels": tf.constant([0.0, 1.0, 1.0]),
        "example_ids": tf.constant(["a", "b", "c"]),
    }
    v = tf.get_variable("p", [6], partitioner=tf.fixed_size_partitioner(2), initializer=tf.zeros_initializer())
    va = {"sparse_features_weights": [list(v)], "dense_features_weights": []}
    m = LO.SdcaModel(
        ex,
        va,
        dict(
            symmetric_l2_regularization=1.0,
            symmetric_l1_regularization=0.0,
            loss_type="logistic_loss",
            num_table_shards=1,
        ),
    )
    mi = m.minimize(name="mini")
    u = m.update_weights(mi)
    r = m.regularized_loss(ex)
    with tf.Session() as s:
        s.run(tf.global_variables_initializer())
        s.run(tf.tables_initializer())
        for _i in range(30):
            s.run(mi)
        s.run(u)
        return round(float(s.run(r)), 1)


def case_opt(tf):
    o = tf.contrib.linear_optimizer.SDCAOptimizer("id", num_loss_partitions=2, symmetric_l1_regularization=0.1)
    return (
        o.get_name(),
        o.example_id_column,
        o.num_loss_partitions,
        o.num_table_shards,
        o.symmetric_l1_regularization,
        o.symmetric_l2_regularization,
        o.adaptive,
        o.partitioner,
    )


def est(tf, c, lab, loss_cols="all", **kw):
    L = tf.contrib.layers
    s = L.sparse_column_with_hash_bucket("s", 10)
    cc = [
        L.real_valued_column("x", dimension=2),
        s,
        L.bucketized_column(L.real_valued_column("y"), [1.0, 2.0]),
        L.weighted_sparse_column(s, "sw"),
    ]
    sp = lambda v: tf.SparseTensor(indices=[[i, 0] for i in range(3)], values=v, dense_shape=[3, 1])
    f = {
        "x": tf.constant([[1.0, 2.0], [2.0, 3.0], [5.0, 6.0]]),
        "s": sp(["p", "q", "r"]),
        "y": tf.constant([[1.0], [2.0], [3.0]]),
        "sw": sp([1.0, 2.0, 3.0]),
        "id": tf.constant(["a", "b", "c"]),
        "w": tf.constant([[1.0], [2.0], [1.0]]),
    }
    o = tf.contrib.linear_optimizer.SDCAOptimizer("id")
    e = c(cc, tempfile.mkdtemp(), optimizer=o, **kw)
    tf.contrib.framework.create_global_step()
    call = getattr(e, "_call_model_fn", None) or e._model_ops
    ops = call(f, tf.constant(lab), tf.contrib.learn.ModeKeys.TRAIN)
    return ops.train_op.name, ops.loss.name, len(ops.training_chief_hooks)


def case_est(tf):
    return est(tf, tf.contrib.learn.LinearClassifier, [[0], [1], [1]])


def case_est_w(tf):
    return est(tf, tf.contrib.learn.LinearClassifier, [[0], [1], [1]], weight_column_name="w")


def case_est_r(tf):
    return est(tf, tf.contrib.learn.LinearRegressor, [[0.0], [1.0], [1.0]])


def case_est_mc(tf):
    return est(tf, tf.contrib.learn.LinearClassifier, [[0], [1], [1]], n_classes=3)


def case_svm(tf):
    L = tf.contrib.layers
    f = {
        "x": tf.constant([[1.0, 2.0], [2.0, 3.0], [5.0, 6.0]]),
        "id": tf.constant(["a", "b", "c"]),
        "w": tf.constant([[1.0], [2.0], [1.0]]),
    }
    e = tf.contrib.learn.SVM(
        "id",
        [L.real_valued_column("x", dimension=2)],
        weight_column_name="w",
        model_dir=tempfile.mkdtemp(),
        l1_regularization=0.1,
        l2_regularization=0.2,
    )
    tf.contrib.framework.create_global_step()
    call = getattr(e, "_call_model_fn", None) or e._model_ops
    ops = call(f, tf.constant([[0], [1], [1]]), tf.contrib.learn.ModeKeys.TRAIN)
    return ops.train_op.name, ops.loss.name, len(ops.training_chief_hooks)


def case_svm_k(tf):
    return tf.contrib.learn.SVM("id", [], kernels=[1])
