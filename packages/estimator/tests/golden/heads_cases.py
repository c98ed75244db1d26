"""Heads of both generations: specs to train, evaluate and predict with."""
from golden_case import Case, says

LOGITS = [[1.0, -2.0, 0.5], [0.0, 0.3, -1.0]]


def facts(spec):
    """What a spec holds that is no tensor."""
    outputs = spec.export_outputs or {}
    return {
        "outputs": sorted((name, type(output).__name__) for name, output in outputs.items()),
        "predictions": sorted(map(str, spec.predictions or {})), "metrics": sorted(spec.eval_metric_ops or {}),
    }


def numbers(tf, spec):
    """What a spec holds that can be run."""
    found = {"predictions": {str(key): value for key, value in (spec.predictions or {}).items()}}
    if spec.loss is not None:
        found["loss"] = spec.loss
    if spec.train_op is not None:
        found["train"] = spec.train_op
    outputs = {}
    for name, output in (spec.export_outputs or {}).items():
        for part in ("scores", "classes", "value"):
            if getattr(output, part, None) is not None:
                outputs[name + "/" + part] = getattr(output, part)
    found["outputs"] = outputs
    return found


def older(tf, head, mode, logits, labels=None, features=None, losses=None):
    """The spec of a head of the first generation."""
    tf.train.create_global_step()
    weight = tf.get_variable("weight", initializer=1.0)
    logits = {k: weight * tf.constant(v) for k, v in logits.items()} if isinstance(logits, dict) else (
        weight * tf.constant(logits))
    if labels is not None:
        labels = {k: tf.constant(v) for k, v in labels.items()} if isinstance(labels, dict) else (
            labels if isinstance(labels, tf.SparseTensor) else tf.constant(labels))
    features = {key: tf.constant(value) for key, value in (features or {"x": [[1.0], [2.0]]}).items()}
    spec = head.create_estimator_spec(
        features, mode, logits, labels, optimizer=tf.train.GradientDescentOptimizer(0.5),
        **({"regularization_losses": [weight * 0.25, weight * 0.125]} if losses else {}))
    found = numbers(tf, spec)
    if spec.eval_metric_ops and mode == "eval":
        found["updates"] = {key: value[1] for key, value in spec.eval_metric_ops.items()}
    return Case({"numbers": found, "facts": facts(spec)})


def multi_label(tf, **options):
    return tf.contrib.estimator.multi_label_head(n_classes=3, **options)


def case_multi_label_train(tf):
    return older(tf, multi_label(tf), "train", LOGITS, [[1, 0, 1], [0, 0, 1]], losses=True)


def case_multi_label_eval(tf):
    head = multi_label(tf, thresholds=[0.25, 0.5], weight_column="w", name="many")
    return older(tf, head, "eval", LOGITS, [[1, 0, 1], [0, 0, 1]], {"w": [[1.0], [2.0]]}, losses=True)


def case_multi_label_infer(tf):
    return older(tf, multi_label(tf), "infer", LOGITS)


def case_multi_label_words(tf):
    head = multi_label(tf, label_vocabulary=["a", "b", "c"], classes_for_class_based_metrics=["a", "c"])
    labels = tf.SparseTensor([[0, 0], [0, 1], [1, 0]], ["a", "c", "b"], [2, 2])
    return older(tf, head, "eval", LOGITS, labels)


def case_multi_label_ids(tf):
    labels = tf.SparseTensor([[0, 0], [0, 1], [1, 0]], tf.constant([0, 2, 1], tf.int64), [2, 2])
    return older(tf, multi_label(tf, classes_for_class_based_metrics=[0, 1]), "eval", LOGITS, labels)


def case_multi_label_words_infer(tf):
    return older(tf, multi_label(tf, label_vocabulary=["a", "b", "c"], name="words"), "infer", LOGITS)


def case_multi_label_given_loss(tf):
    def loss(labels, logits):
        return tf.reduce_sum(tf.abs(tf.cast(labels, tf.float32) - logits), axis=1, keepdims=True)

    head = multi_label(tf, loss_fn=loss, loss_reduction=tf.losses.Reduction.SUM)
    return older(tf, head, "train", LOGITS, [[1, 0, 1], [0, 0, 1]])


def case_multi_label_refusals(tf):
    heads = tf.contrib.estimator
    return {
        "one": says("n_classes", lambda: heads.multi_label_head(1)),
        "thresholds": says("thresholds", lambda: heads.multi_label_head(3, thresholds=[1.0])),
        "vocabulary": says("label_vocabulary", lambda: heads.multi_label_head(3, label_vocabulary="abc")),
        "lengths": says("vocabulary", lambda: heads.multi_label_head(3, label_vocabulary=["a"])),
        "reduction": says("loss_reduction", lambda: heads.multi_label_head(3, loss_reduction="none")),
        "classes": says("classes_for_class_based_metrics",
                        lambda: heads.multi_label_head(3, classes_for_class_based_metrics=[3])),
        "labels": says("labels", lambda: heads.multi_label_head(3).create_loss(
            {}, "eval", tf.constant(LOGITS), None)),
        "shapes": says("labels", lambda: heads.multi_label_head(3).create_loss(
            {}, "eval", tf.constant(LOGITS), tf.constant([[1, 0], [0, 1]]))),
    }


def case_poisson_train(tf):
    return older(tf, tf.contrib.estimator.poisson_regression_head(), "train", [[0.5], [1.0]], [[1.0], [3.0]])


def case_poisson_eval(tf):
    head = tf.contrib.estimator.poisson_regression_head("w", 2, compute_full_loss=False, name="counts")
    return older(tf, head, "eval", [[0.5, 1.0]], [[1.0, 3.0]], {"w": [[2.0]]}, losses=True)


def case_logistic_eval(tf):
    return older(tf, tf.contrib.estimator.logistic_regression_head(), "eval", [[0.5], [1.0]], [[0.25], [1.0]])


def case_logistic_infer(tf):
    return older(tf, tf.contrib.estimator.logistic_regression_head(name="rate"), "infer", [[0.5], [1.0]])


def case_regression_train(tf):
    return older(tf, tf.contrib.estimator.regression_head(), "train", [[0.5], [1.0]], [[1.0], [3.0]], losses=True)


def case_binary_train(tf):
    return older(tf, tf.contrib.estimator.binary_classification_head(), "train", [[0.5], [1.0]], [[1], [0]])


def case_classes_train(tf):
    return older(tf, tf.contrib.estimator.multi_class_head(3), "train", LOGITS, [[1], [2]])


def both(tf, **options):
    heads = tf.contrib.estimator
    return heads.multi_head([heads.multi_label_head(3, name="labels"), heads.regression_head(name="number")], **options)


def case_multi_head_train(tf):
    logits = {"labels": LOGITS, "number": [[0.5], [1.0]]}
    labels = {"labels": [[1, 0, 1], [0, 0, 1]], "number": [[1.0], [3.0]]}
    return older(tf, both(tf, head_weights=[1.0, 2.0]), "train", logits, labels)


def case_multi_head_eval(tf):
    logits = {"labels": LOGITS, "number": [[0.5], [1.0]]}
    labels = {"labels": [[1, 0, 1], [0, 0, 1]], "number": [[1.0], [3.0]]}
    return older(tf, both(tf, head_weights=[1.0, 2.0]), "eval", logits, labels)


def case_multi_head_together(tf):
    """Logits of all heads in one tensor."""
    labels = {"labels": [[1, 0, 1], [0, 0, 1]], "number": [[1.0], [3.0]]}
    return older(tf, both(tf), "train", [[1.0, 2.0, 3.0, 4.0], [0.0, 1.0, 0.0, 2.0]], labels)


def case_multi_head_infer(tf):
    return older(tf, both(tf), "infer", {"labels": LOGITS, "number": [[0.5], [1.0]]})


def case_multi_head_facts(tf):
    heads = tf.contrib.estimator
    head = both(tf)
    return {
        "dimension": head.logits_dimension, "name": head.name,
        "nameless": says("name", lambda: heads.multi_head([heads.regression_head()])),
        "none": says("heads", lambda: heads.multi_head([])),
        "twice": says("name", lambda: heads.multi_head([heads.regression_head(name="a")] * 2)),
        "weights": says("head", lambda: heads.multi_head([heads.regression_head(name="a")], [1.0, 2.0])),
        "logits": says("number", lambda: head.create_loss(
            {}, "eval", {"labels": tf.constant(LOGITS)}, {"labels": tf.constant([[1, 0, 1], [0, 0, 1]])})),
    }


def case_clipped_gradients(tf):
    first = tf.get_variable("first", initializer=[1.0, 2.0])
    second = tf.get_variable("second", initializer=[3.0])
    loss = tf.reduce_sum(first) + tf.reduce_sum(second * second)
    optimizer = tf.contrib.estimator.clip_gradients_by_norm(tf.train.MomentumOptimizer(0.1, 0.9), 0.5)
    step = optimizer.minimize(loss)
    return Case({"step": step, "name": optimizer.get_name(), "slots": optimizer.get_slot_names(),
                 "slot": optimizer.get_slot(first, "momentum").name}, steps=2)


def case_forwarded_features(tf):
    column = tf.feature_column.numeric_column("x")
    head = tf.contrib.estimator.regression_head()
    model = tf.estimator.LinearEstimator(head, [column], config=tf.estimator.RunConfig(tf_random_seed=1))
    x = tf.placeholder(tf.float32, [None, 1])
    words = tf.SparseTensor([[0, 1], [1, 0]], ["a", "b"], [2, 2])
    features = {"x": x, "id": tf.constant([3, 4]), "words": words}
    forward = tf.contrib.estimator.forward_features
    tf.train.create_global_step()
    some = forward(model, "id").model_fn(features, None, "infer", model.config)
    every = forward(model, sparse_default_values={"words": "?"})
    with tf.variable_scope("again"):
        every = every.model_fn(features, None, "infer", model.config)
    return Case({
        "some": some.predictions, "every": every.predictions,
        "outputs": [sorted(spec.export_outputs["predict"].outputs) for spec in (some, every)],
        "number": says("keys", forward, model, 3), "numbers": says("keys", forward, model, ["a", 3]),
        "missing": says("not in features", forward(model, "no").model_fn, features, None, "infer", model.config),
    }, feeds={x: [[1.0], [2.0]]})
