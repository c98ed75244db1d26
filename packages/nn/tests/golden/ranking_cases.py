"""Metrics of the k best predictions: labels dense and sparse, of every rank, out of range, weighted, for one class."""
import numpy as np
from golden_case import Case, raises

SCORES = np.array([[0.5, 0.1, 0.6, 0.3, 0.8, 0.0, 0.7, 0.2, 0.4, 0.9], [0.3, 0.0, 0.7, 0.2, 0.4, 0.9, 0.5, 0.8, 0.1, 0.6]])
SPARSE = (np.array([[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2], [1, 3]]), np.array([2, 7, 8, 1, 2, 5, 9]), np.array([2, 4]))
DENSE = np.array([[2, 7, 8], [1, 2, 5]])
DEEP = np.array([[[2, 7, 8], [1, 2, 5]], [[1, 2, 5], [2, 7, 8]]])
WEIGHTS = {"none": None, "number": 3.0, "zero": 0.0, "vector": np.array([1.0, 0.5]), "one": np.array([2.0])}


def sparse(tf, indices, values, shape):
    return tf.SparseTensor(tf.constant(indices, tf.int64), tf.constant(values, tf.int64), tf.constant(shape, tf.int64))


def labels_of(tf, form):
    return {"dense": lambda: tf.constant(DENSE, tf.int64), "sparse": lambda: sparse(tf, *SPARSE), "int32": lambda: tf.constant(DENSE, tf.int32), "one": lambda: tf.constant([4, 5], tf.int64),
            "column": lambda: tf.constant([[4], [5]], tf.int64), "outside": lambda: tf.constant([[2, -1, 10], [1, 2, 25]], tf.int64), "unknown": lambda: tf.placeholder_with_default(DENSE, None),
            "open": lambda: tf.placeholder_with_default(DENSE, [None, None]), "sparse_vector": lambda: sparse(tf, [[0], [1]], [4, 5], [2]), "empty": lambda: tf.zeros([2, 0], tf.int64),
            "sparse_empty": lambda: sparse(tf, np.zeros([0, 2]), np.zeros([0]), [2, 4]), "repeated": lambda: tf.constant([[4, 4, 9], [5, 5, 5]], tf.int64)}[form]()


FORMS = ["dense", "sparse", "int32", "one", "column", "outside", "unknown", "open", "sparse_vector", "empty", "sparse_empty", "repeated"]
NAMES = ["recall_at_k", "precision_at_k", "average_precision_at_k"]


def run_twice(pairs):
    return Case(None, runs=[[p[1] for p in pairs], [p[0] for p in pairs], [p[1] for p in pairs], [p[0] for p in pairs]])


for _name in NAMES:
    for _form in FORMS:
        def _case(tf, name=_name, form=_form):
            scores = tf.constant(SCORES, tf.float32)
            function = getattr(tf.metrics, name)
            return run_twice([function(labels_of(tf, form), scores, k) for k in (1, 3, 10)])
        globals()["case_%s_%s" % (_name, _form)] = _case

        def _case(tf, name=_name, form=_form):
            scores = tf.placeholder_with_default(SCORES.astype("float32"), [None, 10])
            function = getattr(tf.metrics, name)
            options = [{}] if "average" in name else [{"class_id": c} for c in (2, 5, 9, 11, -1)]
            return run_twice([function(labels_of(tf, form), scores, 5, **o) for o in options])
        globals()["case_%s_%s_by_class" % (_name, _form)] = _case

    for _kind in WEIGHTS:
        def _case(tf, name=_name, kind=_kind):
            scores = tf.constant(SCORES, tf.float32)
            weights = WEIGHTS[kind]
            weights = tf.constant(weights, tf.float32) if weights is not None else None
            function = getattr(tf.metrics, name)
            more = [] if "average" in name else [function(labels_of(tf, "sparse"), scores, 5, class_id=2, weights=weights)]
            return run_twice([function(labels_of(tf, "dense"), scores, 4, weights=weights), function(labels_of(tf, "sparse"), scores, 4, weights=weights)] + more)
        globals()["case_%s_weights_%s" % (_name, _kind)] = _case

    def _case(tf, name=_name):
        weights = tf.placeholder(tf.float32)
        value, update = getattr(tf.metrics, name)(labels_of(tf, "dense"), tf.constant(SCORES, tf.float32), 4, weights=weights)
        return Case(None, runs=[(update, {weights: 1.0}), (update, {weights: [0.0, 1.0]}), (value, {}), (update, {weights: [1.0, 2.0, 3.0]})])
    globals()["case_%s_weights_fed" % _name] = _case

    def _case(tf, name=_name):
        scores = tf.constant(np.stack([SCORES, SCORES[::-1] ** 2]), tf.float32)
        deep = sparse(tf, [[0, 0, 0], [0, 0, 1], [0, 1, 0], [1, 0, 0], [1, 1, 0], [1, 1, 1]], [2, 7, 5, 9, 4, 3], [2, 2, 3])
        function = getattr(tf.metrics, name)
        more = {} if "average" in name else {"class_id": 2}
        return run_twice([function(tf.constant(DEEP, tf.int64), scores, 3), function(deep, scores, 3), function(tf.constant(DEEP, tf.int64), scores, 3, weights=[[1.0, 0.0], [2.0, 0.5]]), function(deep, scores, 3, weights=[[1.0], [2.0]], **more),
                          function(tf.constant(DEEP[..., 0], tf.int64), scores, 2, weights=0.5)])
    globals()["case_%s_deep" % _name] = _case

    def _case(tf, name=_name):
        function = getattr(tf.metrics, name)
        scores, labels = tf.constant(SCORES, tf.float32), tf.constant(DENSE, tf.int64)
        with tf.variable_scope("outer"), tf.name_scope("n"):
            pairs = [function(labels, scores, 2, metrics_collections=["m", "both"], updates_collections=["u", "both"])]
        pairs += [function(labels, scores, 2, metrics_collections="m", updates_collections="u", name="given"), function(labels, scores, 2, name="given"), function(labels, scores, 2, 0.5) if "average" in name else function(labels, scores, 2, 7, name="seven")]
        return [[v.name for v in tf.local_variables()], [v.dtype for v in tf.local_variables()], [p[1].name for p in pairs], [p[0].name for p in pairs], len(tf.get_collection("both")), tf.get_collection("m") == [p[0] for p in pairs[:2]],
                tf.get_collection("u") == [p[1] for p in pairs[:2]]]
    globals()["case_%s_collections" % _name] = _case

    def _case(tf, name=_name):
        function = getattr(tf.metrics, name)
        scores, labels = tf.constant(SCORES, tf.float32), tf.constant(DENSE, tf.int64)
        return [raises(function, labels, scores, 0), raises(function, labels, scores, 11), raises(function, labels, scores, -1), raises(function, tf.zeros([2, 2, 2], tf.int64), scores, 1), raises(function, tf.constant(1, tf.int64), scores, 1),
                raises(function, labels, scores, 2, weights=tf.ones([3])), raises(function, labels, scores, 2, weights=tf.ones([2, 1])), raises(function, tf.cast(labels, tf.float32), scores, 2), raises(function, labels[:1], scores, 2), raises(function, None, scores, 1),
                raises(function, labels, None, 1), raises(function, tf.constant(["a", "b"]), scores, 1)]
    globals()["case_%s_refused" % _name] = _case

for _name in ["recall_at_top_k", "precision_at_top_k"]:
    for _form in FORMS:
        def _case(tf, name=_name, form=_form):
            function = getattr(tf.metrics, name)
            best = tf.constant([[9, 4, 6, 2], [5, 7, 2, 9]], tf.int64)
            return run_twice([function(labels_of(tf, form), best), function(labels_of(tf, form), best, k=4, class_id=2), function(labels_of(tf, form), tf.cast(best, tf.int32), 2, 5, [1.0, 0.5], name="q")])
        globals()["case_%s_%s" % (_name, _form)] = _case

    def _case(tf, name=_name):
        function = getattr(tf.metrics, name)
        return run_twice([function(tf.constant([1, 2], tf.int64), tf.constant([[1], [3]]), class_id=1, metrics_collections="m", updates_collections="u"), function(tf.constant([[1, 2]], tf.int64), tf.placeholder_with_default([[2, 3]], None)),
                          function(tf.placeholder_with_default(np.array([1, 2]), None), tf.constant([[1], [3]]))])
    globals()["case_%s_more" % _name] = _case


def case_deprecated_names(tf):
    scores, labels = tf.constant(SCORES, tf.float32), tf.constant(DENSE, tf.int64)
    return run_twice([tf.metrics.sparse_precision_at_k(labels, scores, 3), tf.metrics.sparse_average_precision_at_k(labels, scores, 3)])


def case_ties(tf):
    scores = tf.constant([[0.5, 0.5, 0.5, 0.5]])
    return run_twice([tf.metrics.precision_at_k(tf.constant([[1, 3]], tf.int64), scores, 2), tf.metrics.recall_at_k(tf.constant([[1, 3]], tf.int64), scores, 2), tf.metrics.average_precision_at_k(tf.constant([[1, 3]], tf.int64), scores, 4)])


def case_streams(tf):
    labels, scores = tf.placeholder(tf.int64, [None, 2]), tf.placeholder(tf.float32, [None, 4])
    pairs = [tf.metrics.recall_at_k(labels, scores, 2), tf.metrics.precision_at_k(labels, scores, 2), tf.metrics.average_precision_at_k(labels, scores, 2)]
    batches = [(np.array([[0, 1]]), np.array([[0.1, 0.2, 0.3, 0.4]])), (np.array([[0, 1], [2, 3]]), np.array([[0.9, 0.2, 0.3, 0.4], [0.9, 0.2, 0.3, 0.4]])), (np.zeros([0, 2], int), np.zeros([0, 4]))]
    return Case(None, runs=[([p[0] for p in pairs], {})] + [([p[1] for p in pairs], {labels: l, scores: s}) for l, s in batches[:2]] + [([p[0] for p in pairs], {})])


def case_empty_batch(tf):
    labels, scores = tf.placeholder(tf.int64, [None, 2]), tf.placeholder(tf.float32, [None, 4])
    return Case(tf.metrics.average_precision_at_k(labels, scores, 2)[1], feeds={labels: np.zeros([0, 2], int), scores: np.zeros([0, 4])})


def case_counts_of_numpy(tf):
    labels, predictions = tf.constant([[2], [1]], tf.int64), tf.constant([[0.1, 0.2, 0.7], [0.5, 0.3, 0.2]])
    return [tf.metrics.recall_at_k(labels, predictions, np.int64(1))[1], tf.metrics.precision_at_k(labels, predictions, np.int32(2), class_id=np.int64(1))[1],
            tf.metrics.average_precision_at_k(labels, predictions, np.int64(2))[1]]
