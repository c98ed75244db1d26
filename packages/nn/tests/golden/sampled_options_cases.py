"""Sampled losses with every sampler, strategy and form of their tables; embeddings looked up in shards, clipped and combined."""
import numpy as np
from golden_case import Case, raises

W = (np.arange(40) * 17 % 31).reshape(10, 4) / 31.0 - 0.4
B = np.arange(10) / 10.0
X = (np.arange(12) * 7 % 11).reshape(3, 4) / 11.0


def sampled(tf, classes, number_true=1):
    expected = np.linspace(0.1, 0.6, 3 * number_true).reshape(3, number_true)
    return tf.constant(classes, tf.int64), tf.constant(expected, tf.float32), tf.constant(np.linspace(0.2, 0.4, len(classes)), tf.float32)


LOSSES = ["nce_loss", "sampled_softmax_loss"]

for _name in LOSSES:
    for _strategy in ("mod", "div"):
        for _shards in (1, 2, 3):
            def _case(tf, name=_name, strategy=_strategy, shards=_shards):
                if strategy == "mod":
                    parts = [W[i::shards] for i in range(shards)]
                    biases = [B[i::shards] for i in range(shards)]
                else:
                    parts, biases = np.array_split(W, shards), np.array_split(B, shards)
                weights = [tf.get_variable("w%d" % i, initializer=tf.constant(p, tf.float32)) for i, p in enumerate(parts)]
                b = [tf.get_variable("b%d" % i, initializer=tf.constant(p, tf.float32)) for i, p in enumerate(biases)]
                x, labels = tf.constant(X, tf.float32), tf.constant([[1], [9], [0]], tf.int64)
                y = getattr(tf.nn, name)(weights, b if shards > 1 else b[0], labels, x, 3, 10, sampled_values=sampled(tf, [4, 5, 9]), partition_strategy=strategy)
                return [y, tf.gradients(y, weights + b + [x])]
            globals()["case_%s_%s_%d" % (_name, _strategy, _shards)] = _case

    for _hits in (True, False):
        for _true in (1, 2, 3):
            def _case(tf, name=_name, hits=_hits, true=_true):
                w, b, x = tf.placeholder(tf.float32, [10, 4]), tf.placeholder(tf.float32, [10]), tf.placeholder(tf.float32, [None, 4])
                labels = tf.placeholder(tf.int64, [None, true])
                y = getattr(tf.nn, name)(w, b, labels, x, 4, 10, num_true=true, sampled_values=sampled(tf, [1, 2, 7, 3], true), remove_accidental_hits=hits)
                z = getattr(tf.nn, name)(weights=w, biases=b, labels=labels, inputs=x, num_sampled=4, num_classes=10, num_true=true, sampled_values=sampled(tf, [0, 2, 9, 3], true), remove_accidental_hits=hits, name="named")
                return Case([y, z, tf.gradients([y, z], [w, b, x])], feeds={w: W, b: B, x: X, labels: [[1, 2, 3][:true], [7, 8, 9][:true], [0, 1, 7][:true]]})
            globals()["case_%s_%d_true%s" % (_name, _true, "_without_hits" if _hits else "")] = _case

    def _case(tf, name=_name):
        w, b, x = tf.constant(W, tf.float64), tf.constant(B, tf.float64), tf.constant(X, tf.float64)
        values = sampled(tf, [1, 2])
        values = (values[0], tf.cast(values[1], tf.float64), tf.cast(values[2], tf.float64))
        return getattr(tf.nn, name)(w, b, tf.constant([[1], [9], [0]]), x, 2, 10, sampled_values=values)
    globals()["case_%s_of_doubles" % _name] = _case

    def _case(tf, name=_name):
        w = tf.get_variable("w", initializer=tf.constant(W, tf.float32), use_resource=True)
        b = tf.get_variable("b", initializer=tf.constant(B, tf.float32), use_resource=True)
        y = getattr(tf.nn, name)(w, b, tf.constant([[1], [9], [0]]), tf.constant(X, tf.float32), 2, 10, sampled_values=sampled(tf, [1, 2]))
        return [y, tf.gradients(y, [w, b])]
    globals()["case_%s_of_resources" % _name] = _case

    def _case(tf, name=_name):
        with tf.variable_scope("s", partitioner=tf.fixed_size_partitioner(3)):
            w = tf.get_variable("w", [10, 4], initializer=tf.ones_initializer())
            b = tf.get_variable("b", [10], initializer=tf.zeros_initializer())
        y = getattr(tf.nn, name)(w, b, tf.constant([[1], [9], [0]]), tf.constant(X, tf.float32), 2, 10, sampled_values=sampled(tf, [1, 2]), partition_strategy="div")
        return [y, tf.gradients(y, list(w) + list(b))]
    globals()["case_%s_partitioned" % _name] = _case

    for _sampler in ["uniform_candidate_sampler", "log_uniform_candidate_sampler", "learned_unigram_candidate_sampler"]:
        def _case(tf, name=_name, sampler=_sampler):
            labels = tf.constant([[1], [9], [0]], tf.int64)
            values = getattr(tf.nn, sampler)(labels, 1, 4, True, 10, seed=3)
            return getattr(tf.nn, name)(tf.constant(W, tf.float32), tf.constant(B, tf.float32), labels, tf.constant(X, tf.float32), 4, 10, sampled_values=values)
        globals()["case_%s_with_%s" % (_name, _sampler)] = _case

    def _case(tf, name=_name):
        f = getattr(tf.nn, name)
        w, b, x, labels = tf.constant(W, tf.float32), tf.constant(B, tf.float32), tf.constant(X, tf.float32), tf.constant([[1], [9], [0]], tf.int64)
        return [raises(f, w, b, labels, x, 2, 10, partition_strategy="x"), raises(f, w, b, labels[:, 0], x, 2, 10), raises(f, w, b, labels, x, 2, 10, num_true=2), raises(f, w, b, labels, x, 20, 10), raises(f, w, b, labels, x, 0, 10), raises(f, [], b, labels, x, 2, 10), raises(f, w, b, labels, x[:, :3], 2, 10),
                raises(f, w, b, tf.cast(labels, tf.float32), x, 2, 10, sampled_values=sampled(tf, [1, 2])), raises(f, w, b, labels, x, 2, 10, sampled_values=(1, 2)), raises(f, None, b, labels, x, 2, 10), raises(f, w, b, labels, tf.cast(x, tf.int32), 2, 10)]
    globals()["case_%s_refused" % _name] = _case

    def _case(tf, name=_name):
        labels = tf.constant([[1], [9], [0]], tf.int64)
        return getattr(tf.nn, name)(tf.constant(W, tf.float32), tf.constant(B, tf.float32), labels, tf.constant(X, tf.float32), 4, 10)
    globals()["case_%s_drawn" % _name] = _case

    def _case(tf, name=_name):
        labels = tf.placeholder(tf.int64, [None, 1])
        y = getattr(tf.nn, name)(tf.constant(W, tf.float32), tf.constant(B, tf.float32), labels, tf.constant(X, tf.float32), 2, 10, sampled_values=sampled(tf, [1, 2]))
        return Case(y, feeds={labels: [[1], [12], [0]]})
    globals()["case_%s_label_out_of_range" % _name] = _case


def case_softmax_seeds(tf):
    labels = tf.constant([[1], [9], [0]], tf.int64)
    f = lambda **more: tf.nn.sampled_softmax_loss(tf.constant(W, tf.float32), tf.constant(B, tf.float32), labels, tf.constant(X, tf.float32), 3, 10, **more)
    return [f(seed=1), f(seed=1), f(seed=2), f()]


def case_stop_gradient_through_labels(tf):
    w, b, x = tf.constant(W, tf.float32), tf.constant(B, tf.float32), tf.constant(X, tf.float32)
    expected = tf.placeholder_with_default(np.full([3, 1], 0.5, np.float32), [3, 1])
    y = tf.nn.sampled_softmax_loss(w, b, tf.constant([[1], [9], [0]]), x, 2, 10, sampled_values=(tf.constant([1, 2], tf.int64), expected, tf.constant([0.3, 0.4])))
    return [y, tf.gradients(y, [w])]


def case_weighted_cross_entropy(tf):
    logits, targets = tf.constant([[-100.0, -2.0, 0.0, 2.0, 100.0]]), tf.constant([[0.0, 1.0, 0.5, 1.0, 1.0]])
    f = tf.nn.weighted_cross_entropy_with_logits
    y = [f(targets=targets, logits=logits, pos_weight=2.0), f(labels=targets, logits=logits, pos_weight=0.0, name="n"), f(labels=targets, logits=logits, pos_weight=np.array([1.0, 2.0, 3.0, 4.0, 5.0], np.float32)), f(targets, logits, 1.5)]
    return [y, tf.gradients(y, logits), raises(f, targets, logits[:, :2], 1.0), raises(f, targets, logits), raises(f, labels=targets, targets=targets, logits=logits, pos_weight=1.0), raises(f, logits=logits, pos_weight=1.0)]


for _norm in (None, 1.0, 0.1):
    for _strategy in ("mod", "div"):
        for _shards in (1, 2, 3):
            def _case(tf, norm=_norm, strategy=_strategy, shards=_shards):
                parts = [W[i::shards] for i in range(shards)] if strategy == "mod" else np.array_split(W, shards)
                params = [tf.get_variable("p%d" % i, initializer=tf.constant(p, tf.float32)) for i, p in enumerate(parts)]
                ids = tf.placeholder(tf.int64, [None, 2])
                y = tf.nn.embedding_lookup(params, ids, partition_strategy=strategy, max_norm=norm)
                return Case([y, tf.gradients(y * y, params)], feeds={ids: [[0, 9], [3, 3], [5, 1]]})
            globals()["case_lookup_%s_%d_%s" % (_strategy, _shards, str(_norm).replace(".", "_"))] = _case

for _combiner in ("sum", "mean", "sqrtn"):
    for _weights in (True, False):
        def _case(tf, combiner=_combiner, weighted=_weights):
            indices = np.array([[0, 0], [0, 1], [1, 2], [3, 0], [3, 1]], np.int64)
            ids = tf.SparseTensor(indices, tf.constant([1, 3, 3, 0, 9], tf.int64), [4, 3])
            weights = tf.SparseTensor(indices, tf.constant([1.0, 2.0, 0.5, 0.0, -1.0]), [4, 3]) if weighted else None
            whole = tf.get_variable("w", initializer=tf.constant(W, tf.float32))
            shards = [tf.get_variable("s%d" % i, initializer=tf.constant(W[i::2], tf.float32)) for i in range(2)]
            f = tf.nn.embedding_lookup_sparse
            y = [f(whole, ids, weights, combiner=combiner), f(shards, ids, weights, combiner=combiner, name="n"), f(shards, ids, weights, combiner=combiner, max_norm=0.5)]
            return [y, tf.gradients(y, [whole] + shards)]
        globals()["case_lookup_sparse_%s%s" % (_combiner, "_weighted" if _weights else "")] = _case

        def _case(tf, combiner=_combiner, weighted=_weights):
            indices = np.array([[0, 0], [0, 1], [1, 2], [3, 0], [3, 1]], np.int64)
            ids = tf.SparseTensor(indices, tf.constant([1, -3, 3, 0, 9], tf.int64), [5, 3])
            weights = tf.SparseTensor(indices, tf.constant([1.0, 2.0, 0.5, 0.0, 1.0]), [5, 3]) if weighted else None
            whole = tf.get_variable("w", initializer=tf.constant(W, tf.float32))
            f = tf.nn.safe_embedding_lookup_sparse
            return [f([whole], ids, weights, combiner=combiner), f(whole, ids, weights, combiner, default_id=2), f([whole], ids, weights, combiner, None, "n", "div", 0.5)]
        globals()["case_safe_lookup_%s%s" % (_combiner, "_weighted" if _weights else "")] = _case
