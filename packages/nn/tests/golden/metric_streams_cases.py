"""Every metric over several batches, with all its options: variables, collections, weights of every rank, dtypes, errors."""
import numpy as np
from golden_case import Case, raises

L = [np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 1.0]]), np.array([[0.0, 0.0, 1.0], [1.0, 1.0, 0.0]]), np.zeros([0, 3])]
P = [np.array([[0.9, 0.2, 0.4], [0.7, 0.1, 0.6]]), np.array([[0.8, 0.3, 0.0], [0.5, 1.0, 0.25]]), np.zeros([0, 3])]
WEIGHTS = {"number": 2.0, "zero": 0.0, "column": np.array([[1.0], [0.5]]), "row": np.array([[1.0, 0.0, 2.0]]), "full": np.array([[1.0, 0.0, 2.0], [3.0, 0.5, 0.0]])}


def simple(name):
    """A function of `(tf, labels, predictions, **options)` for each metric of labels and predictions, and what it takes."""
    thresholds = [0.0, 0.15, 0.5, 0.75, 1.0]
    extra = {"mean_cosine_distance": [1], "mean_iou": [2], "mean_per_class_accuracy": [2], "sensitivity_at_specificity": [0.6], "specificity_at_sensitivity": [0.6]}
    more = dict(num_thresholds=7) if name in ("auc", "sensitivity_at_specificity", "specificity_at_sensitivity") else {}
    arguments = [thresholds] if name.endswith("_at_thresholds") else extra.get(name, [])

    def call(tf, labels, predictions, **options):
        options.update(more)
        if name == "mean_relative_error":
            return tf.metrics.mean_relative_error(labels, predictions, tf.constant([[1.0, 2.0, 0.0], [4.0, 0.5, 1.0]])[:tf.shape(labels)[0]], **options)
        return getattr(tf.metrics, name)(labels, predictions, *arguments, **options)
    return call


ERRORS = ["mean_absolute_error", "mean_squared_error", "root_mean_squared_error", "mean_cosine_distance", "mean_relative_error", "accuracy"]
COUNTS = ["true_positives", "true_negatives", "false_positives", "false_negatives", "precision", "recall"]
AT = [name + "_at_thresholds" for name in COUNTS] + ["auc", "sensitivity_at_specificity", "specificity_at_sensitivity"]
CLASSES = ["mean_iou", "mean_per_class_accuracy"]


def inputs(tf, name, shape):
    label = "int64" if name in CLASSES else "bool" if name in AT else "float32"
    return tf.placeholder(label, shape), tf.placeholder("int64" if name in CLASSES else "float32", shape)


def fed(name, i):
    predictions = P[i] > 0.5 if name in COUNTS + CLASSES + ["accuracy"] else P[i]
    return L[i].astype(bool) if name in AT else L[i], predictions


for _name in ERRORS + COUNTS + AT + CLASSES:
    for _shape in ([None, 3], None):
        def _case(tf, name=_name, shape=_shape):
            labels, predictions = inputs(tf, name, shape)
            try:
                value, update = simple(name)(tf, labels, predictions)
            except ValueError:
                if shape:
                    raise
                return raises(simple(name), tf, labels, predictions)
            variables = [[v.name for v in vs] for vs in (tf.local_variables(), tf.global_variables(), tf.trainable_variables(), tf.get_collection("metric_variables"))]
            runs = [([value, variables], {})]
            for i in (0, 1, 2, 0):
                l, p = fed(name, i)
                runs += [(update, {labels: l, predictions: p}), (value, {})]
            return Case(None, runs=runs)
        globals()["case_%s_%s" % (_name, "known" if _shape else "unknown")] = _case

    for _kind in WEIGHTS:
        def _case(tf, name=_name, kind=_kind):
            labels, predictions = inputs(tf, name, [2, 3])
            static = simple(name)(tf, labels, predictions, weights=tf.constant(WEIGHTS[kind], tf.float32))
            runs = []
            for i in (0, 1):
                l, p = fed(name, i)
                runs += [(static[1], {labels: l, predictions: p}), (static[0], {})]
            return Case(None, runs=runs)
        globals()["case_%s_weighted_%s" % (_name, _kind)] = _case

        def _case(tf, name=_name, kind=_kind):
            labels, predictions = inputs(tf, name, [None, 3])
            weights = tf.placeholder(tf.float32)
            value, update = simple(name)(tf, labels, predictions, weights=weights)
            runs = []
            for i in (0, 1):
                l, p = fed(name, i)
                runs += [(update, {labels: l, predictions: p, weights: WEIGHTS[kind]}), (value, {})]
            return Case(None, runs=runs)
        globals()["case_%s_weighted_unknown_%s" % (_name, _kind)] = _case

    def _case(tf, name=_name):
        labels, predictions = inputs(tf, name, [2, 3])
        function = simple(name)
        return [raises(function, tf, labels, predictions[:1]), raises(function, tf, labels, predictions[:, :2]), raises(function, tf, labels, predictions, weights=tf.ones([5])),
                raises(function, tf, labels, predictions, weights=tf.ones([3, 3])), raises(function, tf, labels, predictions, weights=tf.ones([1, 1, 1, 1])), raises(function, tf, None, predictions), raises(function, tf, labels, None)]
    globals()["case_%s_refused" % _name] = _case

    def _case(tf, name=_name):
        labels, predictions = inputs(tf, name, [2, 3])
        with tf.variable_scope("outer"):
            value, update = simple(name)(tf, labels, predictions, metrics_collections=["m", "both"], updates_collections=["u", "both"], name="given")
        again = simple(name)(tf, labels, predictions, metrics_collections="m", updates_collections=None)
        with tf.name_scope("n"):
            third = simple(name)(tf, labels, predictions, updates_collections="u")
        l, p = fed(name, 0)
        return Case([again[1], third[1], [v.name for v in tf.local_variables()], [v.dtype for v in tf.local_variables()], [v.shape for v in tf.local_variables()], tf.get_collection("m") == [value, again[0]],
                     tf.get_collection("u") == [update, third[1]], len(tf.get_collection("both"))], feeds={labels: l, predictions: p})
    globals()["case_%s_collections" % _name] = _case

    def _case(tf, name=_name):
        column, vector = inputs(tf, name, [None, 1])[0], inputs(tf, name, [None])[1]
        try:
            pair = simple(name)(tf, column, vector)
        except ValueError:
            return raises(simple(name), tf, column, vector)
        l, p = fed(name, 0)
        return Case(None, runs=[(pair[1], {column: l.reshape(-1, 1), vector: p.reshape(-1)}), (pair[0], {})])
    if _name not in ("mean_cosine_distance", "mean_relative_error"):
        globals()["case_%s_squeezed_labels" % _name] = _case

        def _case(tf, name=_name):
            vector, column = inputs(tf, name, [None])[0], inputs(tf, name, [None, 1])[1]
            weights = tf.placeholder(tf.float32, [None, 1])
            pair = simple(name)(tf, vector, column, weights=weights)
            l, p = fed(name, 0)
            return Case(None, runs=[(pair[1], {vector: l.reshape(-1), column: p.reshape(-1, 1), weights: [[1.0], [2.0], [0.0], [1.0], [0.5], [3.0]]}), (pair[0], {})])
        globals()["case_%s_squeezed_predictions" % _name] = _case

        def _case(tf, name=_name):
            a, b = inputs(tf, name, [2, 3])
            weights = tf.placeholder(tf.float32, [2])
            try:
                pair = simple(name)(tf, a, b, weights=weights)
            except ValueError:
                return raises(simple(name), tf, a, b, weights=weights)
            l, p = fed(name, 0)
            return Case(None, runs=[(pair[1], {a: l, b: p, weights: [1.0, 2.0]}), (pair[0], {})])
        globals()["case_%s_expanded_weights" % _name] = _case


for _name in COUNTS:
    for _kind in ["int32", "float32", "bool", "float64"]:
        def _case(tf, name=_name, kind=_kind):
            labels, predictions = tf.cast(tf.constant(L[0]), kind), tf.cast(tf.constant(P[0] > 0.5), kind)
            value, update = getattr(tf.metrics, name)(labels, predictions, weights=tf.constant(2, tf.int32))
            return Case(None, runs=[update, update, value])
        globals()["case_%s_of_%s" % (_name, _kind)] = _case

    def _case(tf, name=_name):
        always, never = getattr(tf.metrics, name)(tf.ones([4]), tf.ones([4]), name="always"), getattr(tf.metrics, name)(tf.zeros([4]), tf.zeros([4]), name="never")
        return Case(None, runs=[[always[1], never[1]], [always[0], never[0]]])
    globals()["case_%s_extremes" % _name] = _case


def case_accuracy_of_strings(tf):
    value, update = tf.metrics.accuracy(tf.constant(["a", "b", "c"]), tf.constant(["a", "x", "c"]))
    return Case(None, runs=[update, value])


def case_accuracy_kinds(tf):
    a, b = tf.metrics.accuracy(tf.constant([1, 2, 3]), tf.constant([1.0, 2.5, 3.0])), tf.metrics.accuracy(tf.constant([True, False]), tf.constant([1, 1]))
    return Case(None, runs=[[a[1], b[1]], [a[0], b[0]]])


for _form in ["plain", "number", "column", "row", "full", "expanded", "squeezed"]:
    def _case(tf, form=_form):
        x = tf.placeholder(tf.float32, [2, 3])
        weights = {"plain": None, "number": 0.5, "column": [[1.0], [2.0]], "row": [[1.0, 0.0, 2.0]], "full": WEIGHTS["full"], "expanded": [1.0, 2.0], "squeezed": np.ones([2, 3, 1])}[form]
        mean, tensor = tf.metrics.mean(x, weights), tf.metrics.mean_tensor(x, weights)
        below = tf.metrics.percentage_below(x, 0.5, weights)
        fetches = [mean[0], tensor[0], below[0], [v.name for v in tf.local_variables()]]
        return Case(None, runs=[(fetches, {})] + [([mean[1], tensor[1], below[1]], {x: p}) for p in P[:2]] + [(fetches, {})])
    globals()["case_means_" + _form] = _case


def case_mean_refused(tf):
    m = tf.metrics
    x = tf.constant(P[0], tf.float32)
    return [raises(m.mean, x, tf.ones([5])), raises(m.mean_tensor, x, tf.ones([5])), raises(m.mean_tensor, tf.placeholder(tf.float32)), raises(m.mean, None), raises(m.percentage_below, x, "a"), raises(m.mean, ["a"]),
            raises(m.mean, x, tf.ones([2, 2])), raises(m.mean_tensor, x, tf.ones([4, 3]))]


def case_mean_kinds(tf):
    m = tf.metrics
    pairs = [m.mean(tf.constant([1, 2, 4])), m.mean(tf.constant([1.0, 2.0], tf.float64)), m.mean([True, False]), m.mean(3), m.mean_tensor([1, 2]), m.percentage_below(tf.constant([1, 5]), 3), m.mean(tf.constant([1, 2], tf.int64), tf.constant([1, 3]))]
    return Case(None, runs=[[p[1] for p in pairs], [p[1] for p in pairs], [p[0] for p in pairs]])


def case_mean_weights_refused_in_run(tf):
    w = tf.placeholder(tf.float32)
    value, update = tf.metrics.mean(tf.constant(P[0]), w)
    return Case(None, runs=[(update, {w: 1.0}), (update, {w: [[1.0], [2.0]]}), (update, {w: [1.0, 2.0]}), (update, {w: [1.0, 2.0, 3.0]})])


def case_mean_collections(tf):
    m = tf.metrics
    a = [m.mean([1.0], metrics_collections="m", updates_collections="u", name="a"), m.mean_tensor([1.0], metrics_collections=["m"], updates_collections=["u"]), m.percentage_below([1.0], 2.0, metrics_collections="m", updates_collections="u")]
    return [[p[0] for p in a], tf.get_collection("m") == [p[0] for p in a], tf.get_collection("u") == [p[1] for p in a], [v.name for v in tf.local_variables()]]


def case_reset(tf):
    value, update = tf.metrics.mean(tf.constant([1.0, 3.0]), name="running")
    reset = tf.variables_initializer(tf.local_variables(scope="running"))
    return Case(None, runs=[update, update, value, reset, value])


def case_iou_absent_classes(tf):
    labels, predictions = tf.placeholder(tf.int32, [None]), tf.placeholder(tf.int64, [None])
    pairs = [tf.metrics.mean_iou(labels, predictions, 5), tf.metrics.mean_per_class_accuracy(labels, predictions, 5)]
    feeds = [{labels: [0, 1, 1], predictions: [0, 1, 2]}, {labels: [4], predictions: [4]}]
    return Case(None, runs=[([p[1] for p in pairs], feeds[0]), ([p[0] for p in pairs], {}), ([p[1] for p in pairs], feeds[1]), ([p[0] for p in pairs], {})])


def case_iou_nothing_right(tf):
    pairs = [tf.metrics.mean_iou([0, 1], [1, 0], 2), tf.metrics.mean_per_class_accuracy([0, 1], [1, 0], 2), tf.metrics.mean_iou(tf.zeros([0], tf.int32), tf.zeros([0], tf.int32), 1)]
    return Case(None, runs=[[p[1] for p in pairs], [p[0] for p in pairs]])


def case_iou_out_of_range(tf):
    labels = tf.placeholder(tf.int32, [None])
    pair = tf.metrics.mean_iou(labels, tf.zeros([2], tf.int32), 2)
    return Case(pair[1], feeds={labels: [0, 3]})


def case_iou_images(tf):
    labels, predictions = tf.placeholder(tf.int32, [None, 2, 2]), tf.placeholder(tf.int32, [None, 2, 2])
    weights = tf.placeholder(tf.float32, [None, 2, 2])
    a, b = tf.metrics.mean_iou(labels, predictions, 3, weights), tf.metrics.mean_iou(labels, predictions, 3, name="b")
    return Case(None, runs=[([a[1], b[1]], {labels: [[[0, 1], [2, 2]]], predictions: [[[0, 1], [1, 2]]], weights: [[[1.0, 0.0], [1.0, 2.0]]]}), ([a[0], b[0]], {})])
