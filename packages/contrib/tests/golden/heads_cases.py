"""Heads of `tf.contrib.learn`: predictions, losses, training and metrics."""



def run(tf, head, mode, labels, logits=None, features=None, **kw):
    m = {
        "t": tf.contrib.learn.ModeKeys.TRAIN,
        "e": tf.contrib.learn.ModeKeys.EVAL,
        "i": tf.contrib.learn.ModeKeys.INFER,
    }[mode]
    if logits is not None:
        kw["logits"] = tf.constant(logits)
    lab = (
        None
        if labels is None
        else {k: tf.constant(v) for k, v in labels.items()}
        if isinstance(labels, dict)
        else tf.constant(labels)
    )
    ops = head.create_model_fn_ops(
        features or {}, m, labels=lab, train_op_fn=(lambda loss: tf.no_op(name="train")), **kw
    )
    t = lambda x: getattr(x, "name", x)
    return (
        sorted((str(k), t(v)) for k, v in (ops.predictions or {}).items()),
        t(ops.loss),
        t(ops.train_op),
        sorted((k, tuple(map(t, v)) if isinstance(v, tuple) else t(v)) for k, v in ops.eval_metric_ops.items()),
        sorted(
            (str(k), int(v[0]), sorted((n, t(x)) for n, x in v[1].items()))
            for k, v in (ops.output_alternatives or {}).items()
        ),
    )


def case_a_reg_train(tf):
    return run(tf, tf.contrib.learn.regression_head(), "t", [0.0, 1.0, 1.0], [[1.0], [1.0], [3.0]])


def case_a_reg_eval(tf):
    return run(tf, tf.contrib.learn.regression_head(), "e", [[0.0], [1.0], [1.0]], [[1.0], [1.0], [3.0]])


def case_a_reg_infer(tf):
    return run(tf, tf.contrib.learn.regression_head(), "i", None, [[1.0], [1.0], [3.0]])


def case_a_reg_weight(tf):
    return run(
        tf,
        tf.contrib.learn.regression_head(
            label_name="l", weight_column_name="w", head_name="hh", enable_centered_bias=True
        ),
        "t",
        {"l": [0, 1, 1]},
        [[1.0], [1.0], [3.0]],
        features={"w": tf.constant([[1.0], [2.0], [3.0]])},
    )


def case_a_reg_weight_eval(tf):
    return run(
        tf,
        tf.contrib.learn.regression_head(
            label_name="l", weight_column_name="w", head_name="hh", enable_centered_bias=True
        ),
        "e",
        {"l": [0, 1, 1]},
        [[1.0], [1.0], [3.0]],
        features={"w": tf.constant([[1.0], [2.0], [3.0]])},
    )


def case_a_reg_dim(tf):
    return run(
        tf,
        tf.contrib.learn.regression_head(label_dimension=2),
        "e",
        [[0.0, 1.0], [1.0, 2.0], [1.0, 2.0]],
        [[1.0, 1], [1.0, 2], [3.0, 3]],
    )


def case_a_reg_logits_input(tf):
    return run(
        tf,
        tf.contrib.learn.regression_head(),
        "t",
        [[0.0], [1.0], [1.0]],
        logits_input=tf.constant([[1.0, 1], [1.0, 2], [3.0, 3]]),
    )


def case_b_poisson(tf):
    return run(tf, tf.contrib.learn.poisson_regression_head(), "e", [0.0, 1.0, 1.0], [[1.0], [1.0], [3.0]])


def case_c_bin_train(tf):
    return run(tf, tf.contrib.learn.multi_class_head(2), "t", [[0], [1]], [[1.0], [1.0]])


def case_c_bin_eval(tf):
    return run(tf, tf.contrib.learn.multi_class_head(2), "e", [[0], [1]], [[1.0], [1.0]])


def case_c_bin_infer(tf):
    return run(tf, tf.contrib.learn.multi_class_head(2), "i", None, [[1.0], [1.0]])


def case_c_bin_weight_eval(tf):
    return run(
        tf,
        tf.contrib.learn.multi_class_head(
            2, label_name="l", weight_column_name="w", head_name="hh", enable_centered_bias=True, thresholds=[0.3, 0.5]
        ),
        "e",
        {"l": [[0.0], [1.0]]},
        [[1.0], [1.0]],
        features={"w": tf.constant([[1.0], [2.0]])},
    )


def case_c_bin_bias_train(tf):
    return run(
        tf,
        tf.contrib.learn.multi_class_head(
            2, label_name="l", weight_column_name="w", head_name="hh", enable_centered_bias=True
        ),
        "t",
        {"l": [[0.0], [1.0]]},
        [[1.0], [1.0]],
        features={"w": tf.constant([[1.0], [2.0]])},
    )


def case_c_bin_keys(tf):
    return run(tf, tf.contrib.learn.multi_class_head(2, label_keys=["a", "b"]), "e", [["a"], ["b"]], [[1.0], [1.0]])


def case_d_mc_train(tf):
    return run(tf, tf.contrib.learn.multi_class_head(3), "t", [[0], [1]], [[1.0, 0, 0], [1.0, 2, 3]])


def case_d_mc_eval(tf):
    return run(
        tf, tf.contrib.learn.multi_class_head(3, metric_class_ids=[0, 2]), "e", [0, 1], [[1.0, 0, 0], [1.0, 2, 3]]
    )


def case_d_mc_infer(tf):
    return run(tf, tf.contrib.learn.multi_class_head(3), "i", None, [[1.0, 0, 0], [1.0, 2, 3]])


def case_d_mc_weight_eval(tf):
    return run(
        tf,
        tf.contrib.learn.multi_class_head(3, metric_class_ids=[0, 2], weight_column_name="w", head_name="h"),
        "e",
        [0, 1],
        [[1.0, 0, 0], [1.0, 2, 3]],
        features={"w": tf.constant([1.0, 2.0])},
    )


def case_d_mc_keys(tf):
    return run(
        tf,
        tf.contrib.learn.multi_class_head(3, label_keys=["a", "b", "c"], metric_class_ids=[1]),
        "e",
        [["a"], ["b"]],
        [[1.0, 0, 0], [1.0, 2, 3]],
    )


def case_d_mc_keys_infer(tf):
    return run(
        tf, tf.contrib.learn.multi_class_head(3, label_keys=["a", "b", "c"]), "i", None, [[1.0, 0, 0], [1.0, 2, 3]]
    )


def case_d_mc_bias(tf):
    return run(
        tf, tf.contrib.learn.multi_class_head(3, enable_centered_bias=True), "t", [[0], [1]], [[1.0, 0, 0], [1.0, 2, 3]]
    )


def case_d_mc_loss(tf):
    return run(
        tf,
        tf.contrib.learn.multi_class_head(3, loss_fn=lambda labels, logits: tf.ones_like(logits)),
        "t",
        [[0], [1]],
        [[1.0, 0, 0], [1.0, 2, 3]],
    )


def case_e_svm_train(tf):
    return run(tf, tf.contrib.learn.binary_svm_head(), "t", [[0.0], [1.0]], [[1.0], [1.0]])


def case_e_svm_eval(tf):
    return run(
        tf,
        tf.contrib.learn.binary_svm_head(weight_column_name="w", enable_centered_bias=True),
        "e",
        [[0.0], [1.0]],
        [[1.0], [1.0]],
        features={"w": tf.constant([1.0, 2.0])},
    )


def case_e_svm_infer(tf):
    return run(tf, tf.contrib.learn.binary_svm_head(), "i", None, [[1.0], [1.0]])


def case_f_ml_train(tf):
    return run(tf, tf.contrib.learn.multi_label_head(3), "t", [[0, 1, 1], [1, 0, 0]], [[1.0, 0, 0], [1.0, 2, 3]])


def case_f_ml_eval(tf):
    return run(
        tf,
        tf.contrib.learn.multi_label_head(3, weight_column_name="w"),
        "e",
        [[0, 1, 1], [1, 0, 0]],
        [[1.0, 0, 0], [1.0, 2, 3]],
        features={"w": tf.constant([1.0, 2.0])},
    )


def case_f_ml_infer(tf):
    return run(tf, tf.contrib.learn.multi_label_head(3), "i", None, [[1.0, 0, 0], [1.0, 2, 3]])


def case_f_ml_class_eval(tf):
    return run(
        tf,
        tf.contrib.learn.multi_label_head(3, metric_class_ids=[1], enable_centered_bias=True),
        "e",
        [[0, 1, 1], [1, 0, 0]],
        [[1.0, 0, 0], [1.0, 2, 3]],
    )


def case_f_ml_loss(tf):
    return run(
        tf,
        tf.contrib.learn.multi_label_head(3, loss_fn=lambda labels, logits: tf.ones_like(logits)),
        "t",
        [[0, 1, 1], [1, 0, 0]],
        [[1.0, 0, 0], [1.0, 2, 3]],
    )


def multi(tf, mode, lw=None):
    L = tf.contrib.learn
    h = L.multi_head(
        [L.multi_class_head(3, label_name="a", head_name="ha"), L.regression_head(label_name="b", head_name="hb")], lw
    )
    lab = None if mode == "i" else {"a": [0, 1], "b": [1.0, 2.0]}
    return h.logits_dimension, run(tf, h, mode, lab, [[1.0, 0, 0, 1], [1.0, 2, 3, 1]])


def case_h_multi_t(tf):
    return multi(tf, "t")


def case_h_multi_tw(tf):
    return multi(tf, "t", [1.0, 2.0])


def case_h_multi_e(tf):
    return multi(tf, "e")


def case_h_multi_i(tf):
    return multi(tf, "i")


def case_h_multi_in(tf):
    L = tf.contrib.learn
    h = L.multi_head(
        [L.multi_class_head(3, label_name="a", head_name="ha"), L.regression_head(label_name="b", head_name="hb")]
    )
    return run(tf, h, "t", {"a": [0, 1], "b": [1.0, 2.0]}, logits_input=tf.constant([[1.0, 1], [1.0, 2]]))


def case_one_class(tf):
    tf.contrib.learn.multi_class_head(1)


def case_metric_ids_of_two_classes(tf):
    tf.contrib.learn.multi_class_head(2, metric_class_ids=[1])


def case_heads_without_names(tf):
    tf.contrib.learn.multi_head([tf.contrib.learn.regression_head()])


def case_no_logits(tf):
    return run(tf, tf.contrib.learn.regression_head(), "t", [1.0])


def case_no_train_op(tf):
    return run(tf, tf.contrib.learn.regression_head(), "t", None, [[1.0]])


def case_no_weights(tf):
    return run(tf, tf.contrib.learn.regression_head(weight_column_name="w"), "t", [1.0], [[1.0]])
