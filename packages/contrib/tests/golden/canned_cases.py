"""Linear models and networks of `tf.contrib.learn`: their graphs, and what they learn."""

import tempfile

import numpy as np

X = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 1.0], [0.0, 2.0]], np.float32)
Y = np.array([0, 1, 1, 0])
ROWS = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 1.0], [0.0, 2.0], [2.0, 2.0], [4.0, 0.0]], np.float32)
CLASSES = np.array([0, 1, 1, 0, 0, 1])


def cols(tf, kind):
    L = tf.contrib.layers
    if kind == "r":
        return [L.real_valued_column("x", dimension=2)]
    s = L.sparse_column_with_hash_bucket("s", 10)
    k = L.sparse_column_with_keys("k", ["a", "b", "c"])
    if kind == "s":
        return [L.real_valued_column("x", dimension=2), s, k, L.crossed_column([s, k], 20)]
    if kind == "e":
        return [L.real_valued_column("x", dimension=2), L.embedding_column(s, 3), L.one_hot_column(k)]
    if kind == "core":
        return [tf.feature_column.numeric_column("x", shape=[2])]


def feats(tf):
    sp = lambda v: tf.SparseTensor(indices=[[i, 0] for i in range(4)], values=v, dense_shape=[4, 1])
    return {
        "x": tf.constant(X),
        "s": sp(["p", "q", "r", "p"]),
        "k": sp(["a", "b", "c", "a"]),
        "w": tf.constant([[1.0], [2.0], [1.0], [0.5]]),
    }


def go(tf, est, mode, labels=Y):
    MK = tf.contrib.learn.ModeKeys
    m = {"t": MK.TRAIN, "e": MK.EVAL, "i": MK.INFER}[mode]
    tf.train.create_global_step() if hasattr(
        tf.train, "create_global_step"
    ) else tf.contrib.framework.create_global_step()
    call = getattr(est, "_call_model_fn", None) or est._model_ops
    ops = call(feats(tf), None if mode == "i" else tf.constant(labels), m)
    t = lambda x: getattr(x, "name", x)
    return (
        sorted((str(k), t(v)) for k, v in ops.predictions.items()),
        t(ops.loss),
        t(ops.train_op),
        [type(h).__name__ for h in list(ops.training_hooks) + list(ops.training_chief_hooks)],
        sorted(ops.eval_metric_ops),
    )


def lc(tf, mode, kind="r", labels=Y, **kw):
    return go(tf, tf.contrib.learn.LinearClassifier(cols(tf, kind), tempfile.mkdtemp(), **kw), mode, labels)


def case_lc_t(tf):
    return lc(tf, "t")


def case_lc_e(tf):
    return lc(tf, "e")


def case_lc_i(tf):
    return lc(tf, "i")


def case_lc_s(tf):
    return lc(tf, "t", "s", weight_column_name="w", n_classes=3, gradient_clip_norm=1.0, enable_centered_bias=True)


def case_lc_core(tf):
    return lc(tf, "t", "core", optimizer="Adam")


def case_lr_t(tf):
    return go(
        tf,
        tf.contrib.learn.LinearRegressor(
            cols(tf, "s"), tempfile.mkdtemp(), optimizer=lambda: tf.train.GradientDescentOptimizer(0.1)
        ),
        "t",
        Y.astype(np.float32),
    )


def case_lr_2(tf):
    return go(
        tf,
        tf.contrib.learn.LinearRegressor(
            cols(tf, "r"), tempfile.mkdtemp(), label_dimension=2, optimizer=tf.train.FtrlOptimizer(0.1)
        ),
        "t",
        X,
    )


def case_le(tf):
    return go(
        tf,
        tf.contrib.learn.LinearEstimator(cols(tf, "r"), tf.contrib.learn.poisson_regression_head(), tempfile.mkdtemp()),
        "t",
        Y.astype(np.float32),
    )


def dc(tf, mode, kind="r", labels=Y, **kw):
    return go(tf, tf.contrib.learn.DNNClassifier([4, 3], cols(tf, kind), tempfile.mkdtemp(), **kw), mode, labels)


def case_dc_t(tf):
    return dc(tf, "t")


def case_dc_e(tf):
    return dc(tf, "e", n_classes=3)


def case_dc_i(tf):
    return dc(tf, "i", dropout=0.3)


def case_dc_drop(tf):
    return dc(tf, "t", "e", dropout=0.3, n_classes=3, gradient_clip_norm=2.0, activation_fn=tf.tanh, optimizer="SGD")


def case_dc_mult(tf):
    c = cols(tf, "e")
    return go(
        tf, tf.contrib.learn.DNNClassifier([4, 3], c, tempfile.mkdtemp(), embedding_lr_multipliers={c[1]: 0.5}), "t"
    )


def case_dc_core(tf):
    return dc(tf, "t", "core", optimizer="Adam")


def case_dr(tf):
    return go(
        tf,
        tf.contrib.learn.DNNRegressor(
            [4], cols(tf, "r"), tempfile.mkdtemp(), label_dimension=2, weight_column_name="w"
        ),
        "t",
        X,
    )


def case_dr_e(tf):
    return go(tf, tf.contrib.learn.DNNRegressor([4], cols(tf, "r"), tempfile.mkdtemp()), "e", Y.astype(np.float32))


def case_de(tf):
    return go(
        tf,
        tf.contrib.learn.DNNEstimator(tf.contrib.learn.multi_label_head(2), [4], cols(tf, "r"), tempfile.mkdtemp()),
        "t",
        (X > 2).astype(np.int64),
    )


def case_cc_t(tf):
    return go(
        tf,
        tf.contrib.learn.DNNLinearCombinedClassifier(
            tempfile.mkdtemp(),
            linear_feature_columns=cols(tf, "s"),
            dnn_feature_columns=cols(tf, "e"),
            dnn_hidden_units=[4, 3],
        ),
        "t",
    )


def case_cc_fix(tf):
    return go(
        tf,
        tf.contrib.learn.DNNLinearCombinedClassifier(
            tempfile.mkdtemp(),
            linear_feature_columns=cols(tf, "s"),
            dnn_feature_columns=cols(tf, "e"),
            dnn_hidden_units=[4, 3],
            fix_global_step_increment_bug=True,
            gradient_clip_norm=1.0,
            dnn_dropout=0.2,
            n_classes=3,
        ),
        "t",
    )


def case_cc_e(tf):
    return go(
        tf,
        tf.contrib.learn.DNNLinearCombinedClassifier(
            tempfile.mkdtemp(),
            linear_feature_columns=cols(tf, "s"),
            dnn_feature_columns=cols(tf, "e"),
            dnn_hidden_units=[4, 3],
        ),
        "e",
    )


def case_cc_lin(tf):
    return go(
        tf,
        tf.contrib.learn.DNNLinearCombinedClassifier(
            tempfile.mkdtemp(), linear_feature_columns=cols(tf, "r"), linear_optimizer="Adagrad"
        ),
        "t",
    )


def case_cc_dnn(tf):
    return go(
        tf,
        tf.contrib.learn.DNNLinearCombinedRegressor(
            tempfile.mkdtemp(), dnn_feature_columns=cols(tf, "r"), dnn_hidden_units=[3], dnn_optimizer="SGD"
        ),
        "t",
        Y.astype(np.float32),
    )


def case_cc_core(tf):
    return go(
        tf,
        tf.contrib.learn.DNNLinearCombinedRegressor(
            tempfile.mkdtemp(),
            linear_feature_columns=cols(tf, "core"),
            dnn_feature_columns=cols(tf, "core"),
            dnn_hidden_units=[3],
        ),
        "t",
        Y.astype(np.float32),
    )


def case_cc_est(tf):
    return go(
        tf,
        tf.contrib.learn.DNNLinearCombinedEstimator(
            tf.contrib.learn.regression_head(),
            tempfile.mkdtemp(),
            linear_feature_columns=cols(tf, "r"),
            dnn_feature_columns=cols(tf, "r"),
            dnn_hidden_units=[3],
        ),
        "t",
        Y.astype(np.float32),
    )


R = lambda d: sorted((k, round(float(v), 4)) for k, v in d.items())


def cfg(tf):
    return tf.contrib.learn.RunConfig(tf_random_seed=3)


def case_lin_arrays(tf):
    L = tf.contrib.learn
    c = L.infer_real_valued_columns_from_input(ROWS)
    e = L.LinearClassifier(feature_columns=c, model_dir=tempfile.mkdtemp(), config=cfg(tf))
    e.fit(ROWS, CLASSES, steps=20, batch_size=3)
    return [
        str(c),
        R(e.evaluate(ROWS, CLASSES)),
        list(map(int, e.predict(ROWS))),
        [np.round(p, 4).tolist() for p in e.predict_proba(ROWS)],
        e.get_variable_names(),
        e.predict(ROWS, as_iterable=False).tolist(),
        e.predict_proba(ROWS, as_iterable=False).shape,
        [sorted(d) for d in e.predict(ROWS[:1], outputs=["logits", "classes"])],
    ]


def inp(tf):
    return lambda: ({"x": tf.constant(ROWS)}, tf.constant(CLASSES))


def case_dnn_input(tf):
    L = tf.contrib.learn
    e = L.DNNClassifier(
        [5, 4],
        [tf.contrib.layers.real_valued_column("x", dimension=2)],
        model_dir=tempfile.mkdtemp(),
        n_classes=2,
        config=cfg(tf),
    )
    e.fit(input_fn=inp(tf), steps=20)
    return [
        R(e.evaluate(input_fn=inp(tf), steps=1)),
        list(map(int, e.predict(input_fn=inp(tf)))),
        e.get_variable_names(),
    ]


def case_dnn_reg(tf):
    L = tf.contrib.learn
    e = L.DNNRegressor(
        [5, 4],
        L.infer_real_valued_columns_from_input(ROWS),
        model_dir=tempfile.mkdtemp(),
        config=cfg(tf),
        optimizer=tf.train.AdamOptimizer(0.1),
    )
    e.fit(ROWS, CLASSES.astype(np.float32), steps=20)
    return [
        R(e.evaluate(ROWS, CLASSES.astype(np.float32))),
        [round(float(v), 4) for v in e.predict(ROWS)],
        e.predict_scores(ROWS, as_iterable=False).shape,
    ]


def case_combined(tf):
    L = tf.contrib.learn
    c = [tf.contrib.layers.real_valued_column("x", dimension=2)]
    e = L.DNNLinearCombinedClassifier(
        model_dir=tempfile.mkdtemp(),
        linear_feature_columns=c,
        dnn_feature_columns=c,
        dnn_hidden_units=[4],
        config=cfg(tf),
    )
    e.fit(input_fn=inp(tf), steps=10)
    ex = e.export_savedmodel(
        tempfile.mkdtemp(), L.build_parsing_serving_input_fn(tf.contrib.layers.create_feature_spec_for_parsing(c))
    )
    with tf.Graph().as_default(), tf.Session() as s:
        mg = tf.saved_model.loader.load(s, ["serve"], ex)
        sig = {
            k: (
                v.method_name,
                sorted((a, b.name) for a, b in v.inputs.items()),
                sorted((a, b.name) for a, b in v.outputs.items()),
            )
            for k, v in mg.signature_def.items()
        }
    return [
        R(e.evaluate(input_fn=inp(tf), steps=1)),
        list(map(int, e.predict(input_fn=inp(tf)))),
        int(e.get_variable_value("global_step")),
        sorted(sig.items()),
    ]


def case_sdca(tf):
    L = tf.contrib.learn
    f = lambda: (
        {"x": tf.constant(ROWS), "id": tf.constant([str(i) for i in range(6)])},
        tf.constant(CLASSES.reshape(-1, 1)),
    )
    e = L.LinearClassifier(
        [tf.contrib.layers.real_valued_column("x", dimension=2)],
        model_dir=tempfile.mkdtemp(),
        optimizer=tf.contrib.linear_optimizer.SDCAOptimizer("id"),
    )
    e.fit(input_fn=f, steps=30)
    r = e.evaluate(input_fn=f, steps=1)
    return round(float(r["loss"]), 1), round(float(r["accuracy"]), 3)


def case_params(tf):
    L = tf.contrib.learn
    e = L.LinearRegressor(L.infer_real_valued_columns_from_input(ROWS), model_dir=tempfile.mkdtemp())
    return sorted(e.get_params(deep=False))


def case_infer_fn(tf):
    L = tf.contrib.learn
    return str(L.infer_real_valued_columns_from_input_fn(lambda: ({"a": tf.ones([3, 2]), "b": tf.ones([3])}, None)))


def case_exp(tf):
    L = tf.contrib.learn
    d = tempfile.mkdtemp()
    c = [tf.contrib.layers.real_valued_column("x", dimension=2)]

    def fn(output_dir):
        e = L.DNNClassifier([4], c, model_dir=output_dir, config=cfg(tf))
        return L.Experiment(
            e,
            inp(tf),
            inp(tf),
            train_steps=5,
            eval_steps=1,
            eval_delay_secs=0,
            export_strategies=[
                L.make_export_strategy(
                    L.build_parsing_serving_input_fn(tf.contrib.layers.create_feature_spec_for_parsing(c))
                )
            ],
        )

    r, ex = L.learn_runner.run(fn, d)
    return R(r), len(ex)
