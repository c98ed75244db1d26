"""Connectionist temporal classification: losses, gradients, decoders, and what prepares labels."""
import numpy as np
from golden_case import Case, raises

R = np.random.RandomState(7)
X = R.randn(6, 3, 5).astype("f4")
XB = X.transpose(1, 0, 2).copy()
LENGTHS = [6, 4, 5]
LABELS = [[1, 2, 2], [0], [3, 1]]
INDICES = [(b, i) for b, row in enumerate(LABELS) for i in range(len(row))]
VALUES = [v for row in LABELS for v in row]
DENSE = [[1, 2, 2], [4, 0, 0], [3, 1, 0]]


def _sparse(tf, indices=INDICES, values=VALUES, shape=(3, 3)):
    return tf.SparseTensor(np.array(indices, "i8").reshape(-1, 2), np.array(values, "i4"), shape)


def _loss(tf, feed=X, labels=None, lengths=LENGTHS, dtype="float32", tolerance=None, **kw):
    x = tf.placeholder(dtype, [None] * 3, name="x")
    loss = tf.nn.ctc_loss(labels if labels is not None else _sparse(tf), x, lengths, **kw)
    return Case([loss, tf.gradients(loss, x, grad_ys=tf.constant([1.0, -2.0, 0.5], dtype)[:feed.shape[1 if kw.get("time_major", True) else 0]])], feeds={x: feed}, tolerance=tolerance)


def case_loss(tf):
    return _loss(tf)


def case_loss_double(tf):
    return _loss(tf, dtype="float64", tolerance=1e-6)  # some steps of the original are in single precision


def case_loss_collapse(tf):
    return _loss(tf, preprocess_collapse_repeated=True)


def case_loss_no_merge(tf):
    return _loss(tf, ctc_merge_repeated=False)


def case_loss_no_merge_collapse(tf):
    return _loss(tf, ctc_merge_repeated=False, preprocess_collapse_repeated=True)


def case_loss_batch_major(tf):
    return _loss(tf, XB, time_major=False)


def case_loss_logits(tf):
    x = tf.constant(X)
    return tf.nn.ctc_loss(labels=_sparse(tf), logits=x, sequence_length=tf.constant(LENGTHS))


def case_loss_longer_ignored(tf):
    return _loss(tf, lengths=[2, 4, 5], ignore_longer_outputs_than_inputs=True)


def case_loss_longer(tf):
    return _loss(tf, lengths=[2, 4, 5])


def case_loss_repeats_need_blanks(tf):
    return _loss(tf, lengths=[3, 4, 5])


def case_loss_repeats_need_blanks_ignored(tf):
    return _loss(tf, lengths=[3, 4, 5], ignore_longer_outputs_than_inputs=True)


def case_loss_no_labels_row(tf):
    return _loss(tf, labels=_sparse(tf, [(0, 0), (2, 0)], [1, 2]))


def case_loss_no_labels(tf):
    return _loss(tf, labels=_sparse(tf, [], []))


def case_loss_null_label(tf):
    return _loss(tf, labels=_sparse(tf, [(0, 0), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1)], [1, 2, 4, 4, 2, 9]))


def case_loss_after_null_label(tf):
    return _loss(tf, labels=_sparse(tf, [(0, 0), (1, 0), (1, 1), (2, 0)], [1, 4, 2, 2]))


def case_loss_label_negative(tf):
    return _loss(tf, labels=_sparse(tf, [(0, 0), (1, 0), (2, 0)], [1, -1, 2]))


def case_loss_label_negative_first(tf):
    return _loss(tf, labels=_sparse(tf, [(0, 0), (0, 1), (1, 0), (2, 0)], [-1, 1, 1, 2]))


def case_loss_batch_range(tf):
    return _loss(tf, labels=_sparse(tf, [(0, 0), (1, 0), (2, 0), (3, 0)], [1, 1, 1, 2]))


def case_loss_batch_negative(tf):
    return _loss(tf, labels=_sparse(tf, [(-1, 0), (1, 0), (2, 0)], [1, 1, 1]))


def case_loss_unordered(tf):
    return _loss(tf, labels=_sparse(tf, [(2, 0), (0, 0), (1, 0)], [1, 1, 1]))


def case_loss_gaps(tf):
    return _loss(tf, labels=_sparse(tf, [(0, 0), (0, 2), (1, 1), (2, 0)], [1, 3, 1, 1]))


def case_loss_length_zero(tf):
    return _loss(tf, labels=_sparse(tf, [(1, 0), (2, 0)], [1, 1]), lengths=[0, 4, 5])


def case_loss_length_over(tf):
    return _loss(tf, lengths=[7, 4, 5])


def case_loss_length_negative(tf):
    return _loss(tf, lengths=[-1, 4, 5])


def case_loss_length_count(tf):
    x, n = tf.placeholder(tf.float32, [None] * 3), tf.placeholder(tf.int32, [None])
    return Case(tf.nn.ctc_loss(_sparse(tf), x, n), feeds={x: X, n: [6, 4]})


def case_loss_value_count(tf):
    x, v = tf.placeholder(tf.float32, [None] * 3), tf.placeholder(tf.int32, [None])
    return Case(tf.nn.ctc_loss(tf.SparseTensor(np.array(INDICES), v, [3, 3]), x, LENGTHS), feeds={x: X, v: [1, 2]})


def case_loss_rank(tf):
    x = tf.placeholder(tf.float32)
    return Case(tf.nn.ctc_loss(_sparse(tf), x, LENGTHS), feeds={x: X[0]})


def case_loss_empty_batch(tf):
    return _loss(tf, X[:, :0], labels=_sparse(tf, [], [], (0, 1)), lengths=np.zeros(0, "i4"))


def case_loss_infinite(tf):
    feed = X.copy()
    feed[0, 0, 1] = np.inf
    feed[1, 1, 2] = -np.inf
    return _loss(tf, feed)


def case_loss_large(tf):
    return _loss(tf, X * 100)


def case_loss_long(tf):
    r = np.random.RandomState(1)
    labels = r.randint(0, 20, [4, 9])
    x = tf.constant(r.randn(50, 4, 21) * 3, tf.float32)
    loss = tf.nn.ctc_loss(tf.SparseTensor([(b, i) for b in range(4) for i in range(9)], tf.constant(labels.ravel(), tf.int32), [4, 9]), x, [50, 40, 30, 20])
    return Case([loss, tf.gradients(loss, x)], tolerance=1e-4)


def case_loss_second_gradient(tf):
    x = tf.constant(X)
    first = tf.gradients(tf.nn.ctc_loss(_sparse(tf), x, LENGTHS), x)[0]
    return [raises(tf.gradients, first, x)]


def case_raw_gradient_output(tf):
    x = tf.constant(X)
    loss, grad = tf.raw_ops.CTCLoss(inputs=x, labels_indices=INDICES, labels_values=VALUES, sequence_length=LENGTHS)
    return [loss, grad, loss.shape, grad.shape, raises(tf.gradients, grad, x)]


def case_loss_shapes(tf):
    found = []
    for shape, lengths in ((None, None), ([None, 3, 5], [None]), ([6, None, 5], [3]), ([6, 3, 5], [3])):
        loss = tf.nn.ctc_loss(_sparse(tf), tf.placeholder(tf.float32, shape), tf.placeholder(tf.int32, lengths))
        found.append(loss)
    return Case(found, graph_only=True)


def case_loss_refused(tf):
    x, labels = tf.zeros([6, 3, 5]), _sparse(tf)
    return [raises(tf.nn.ctc_loss, tf.constant(DENSE), x, LENGTHS), raises(tf.nn.ctc_loss, labels, tf.zeros([6, 3]), LENGTHS), raises(tf.nn.ctc_loss, labels, x, [1, 2]),
            raises(tf.nn.ctc_loss, labels, x, LENGTHS, logits=x), raises(tf.nn.ctc_loss, labels, x), raises(tf.nn.ctc_loss, labels),
            raises(tf.nn.ctc_loss, labels, tf.zeros([6, 3, 5], tf.float16), LENGTHS), raises(tf.nn.ctc_loss, labels, x, tf.constant(LENGTHS, tf.int64)),
            raises(tf.nn.ctc_loss, tf.cast(labels, tf.int64), x, LENGTHS), raises(tf.nn.ctc_loss, labels, tf.zeros([6, 3]), LENGTHS, time_major=False)]


def _loss_v2(tf, labels, label_length, feed=X, dtype="float32", lengths=LENGTHS, shape=(None, None, None), **kw):
    """A loss and its gradient."""
    x = tf.placeholder(dtype, shape, name="x")
    loss = tf.nn.ctc_loss_v2(labels, x, label_length, lengths, **kw)
    return Case([loss, tf.gradients(loss, x, grad_ys=tf.constant([1.0, -2.0, 0.5], dtype))], feeds={x: feed})


def case_v2_dense(tf):
    return _loss_v2(tf, tf.constant(DENSE), [3, 1, 2], blank_index=0)


def case_v2_dense_known(tf):
    return _loss_v2(tf, tf.constant(DENSE), [3, 1, 2], shape=(6, 3, 5))


def case_v2_dense_blank(tf):
    return _loss_v2(tf, tf.constant(DENSE), [3, 1, 2], blank_index=-1)


def case_v2_dense_blank_one(tf):
    return _loss_v2(tf, tf.constant([[2, 3, 3], [4, 0, 0], [3, 2, 0]]), [3, 1, 2], blank_index=1)


def case_v2_dense_default(tf):
    return _loss_v2(tf, tf.constant(DENSE), [3, 1, 2])


def case_v2_dense_batch_major(tf):
    return _loss_v2(tf, tf.constant(DENSE), [3, 1, 2], XB, logits_time_major=False, blank_index=0, name="loss")


def case_v2_dense_unique(tf):
    return _loss_v2(tf, tf.constant(DENSE), [3, 1, 2], unique=tf.nn.ctc_unique_labels(tf.constant(DENSE)), blank_index=0, shape=(6, 3, 5))


def case_v2_dense_double(tf):
    return Case(raises(_loss_v2, tf, tf.constant(DENSE), [3, 1, 2], dtype="float64"), graph=False)


def case_v2_dense_int64(tf):
    return _loss_v2(tf, tf.constant(DENSE, tf.int64), [3, 1, 2])


def case_v2_dense_lists(tf):
    return _loss_v2(tf, DENSE, [3, 1, 2])


def case_v2_dense_labels_unknown(tf):
    labels = tf.placeholder_with_default(DENSE, [None, None])
    return _loss_v2(tf, labels, [3, 1, 2], blank_index=0)


def case_v2_dense_unknown_blank(tf):
    labels = tf.placeholder_with_default(DENSE, [None, None])
    return _loss_v2(tf, labels, tf.placeholder_with_default([3, 1, 2], [None]), lengths=tf.placeholder_with_default(LENGTHS, [None]), blank_index=-1)


def case_v2_no_length(tf):
    return Case(raises(_loss_v2, tf, tf.constant(DENSE), None), graph=False)


def case_v2_sparse(tf):
    return _loss_v2(tf, _sparse(tf), None)


def case_v2_sparse_zero(tf):
    return Case(raises(_loss_v2, tf, _sparse(tf), None, blank_index=0), graph=False)


def case_v2_sparse_blank(tf):
    return _loss_v2(tf, _sparse(tf), None, blank_index=-1)


def case_v2_sparse_blank_one(tf):
    return _loss_v2(tf, _sparse(tf, values=[2, 3, 3, 0, 3, 2]), [3, 1, 2], blank_index=1)


def case_v2_sparse_blank_known(tf):
    return _loss_v2(tf, _sparse(tf, values=[2, 3, 3, 0, 3, 2]), [3, 1, 2], blank_index=1, shape=(6, 3, 5))


def case_v2_sparse_last(tf):
    return _loss_v2(tf, _sparse(tf), None, blank_index=4, shape=(6, 3, 5))


def case_v2_sparse_blank_minus(tf):
    return _loss_v2(tf, _sparse(tf, values=[2, 4, 4, 0, 4, 2]), [3, 1, 2], blank_index=-2, shape=(6, 3, 5))


def case_v2_sparse_batch_major(tf):
    return _loss_v2(tf, _sparse(tf, values=[2, 3, 3, 0, 3, 2]), None, XB, logits_time_major=False, blank_index=1, name="q")


def case_v2_dense_empty_label(tf):
    return _loss_v2(tf, tf.constant(DENSE), [3, 0, 2], blank_index=0)


def case_v2_dense_length_zero(tf):
    return _loss_v2(tf, tf.constant(DENSE), [3, 1, 2], lengths=[6, 0, 5], blank_index=0)


def case_v2_dense_impossible(tf):
    return _loss_v2(tf, tf.constant(DENSE), [3, 1, 2], lengths=[2, 4, 5], blank_index=0)


def case_v2_of_compat(tf):
    x = tf.constant(X)
    return Case(tf.compat.v2.nn.ctc_loss(tf.constant(DENSE), x, [3, 1, 2], LENGTHS, blank_index=0, name="c"))


def case_v2_variable(tf):
    w = tf.get_variable("w", initializer=X)
    loss = tf.reduce_mean(tf.nn.ctc_loss_v2(tf.constant(DENSE), w, [3, 1, 2], LENGTHS, blank_index=0))
    train = tf.train.GradientDescentOptimizer(0.5).minimize(loss)
    return Case(runs=[loss, train, loss, train, loss])


def case_v2_dense_unique_frames(tf):
    return _loss_v2(tf, tf.constant(DENSE), [3, 1, 2], unique=tf.nn.ctc_unique_labels(tf.constant(DENSE)), shape=(6, None, 5))


def case_v2_dense_unique_blank(tf):
    labels = [[2, 3, 3], [4, 0, 0], [3, 2, 0]]
    return _loss_v2(tf, tf.constant(labels), [3, 1, 2], unique=tf.nn.ctc_unique_labels(tf.constant(labels)), blank_index=1, shape=(6, 3, 5))


def case_v2_dense_unique_unknown(tf):
    unique = tf.nn.ctc_unique_labels(tf.constant(DENSE))
    return Case([raises(_loss_v2, tf, tf.constant(DENSE), [3, 1, 2], shape=shape, unique=unique)
                 for shape in ((None, None, None), (None, 3, 5), (6, 3, None))], graph=False)


def case_v2_dense_twice(tf):
    x, y = tf.constant(X), tf.constant(X[:4, :, :4])
    return [tf.nn.ctc_loss_v2(tf.constant(DENSE), x, [3, 1, 2], LENGTHS, blank_index=0),
            tf.nn.ctc_loss_v2(tf.constant([[1, 2], [3, 0], [1, 1]]), y, [2, 1, 2], [4, 3, 4], blank_index=0)]


def case_v2_dense_in_a_loop(tf):
    x = tf.constant(X)

    def step(i, total):
        loss = tf.nn.ctc_loss_v2(tf.constant(DENSE), x * tf.cast(i + 1, tf.float32), [3, 1, 2], LENGTHS, blank_index=0)
        return i + 1, total + loss

    return Case(tf.while_loop(lambda i, total: i < 3, step, [0, tf.zeros([3])])[1], graph=False)


def case_unique(tf):
    labels = tf.placeholder(tf.int32, [None, None])
    y, i = tf.nn.ctc_unique_labels(labels)
    return Case([y, i, tf.nn.ctc_unique_labels(tf.constant([[3, 4, 4, 3]]), name="u")], feeds={labels: [[3, 4, 4, 3], [1, 1, 1, 0]]})


def case_unique_static(tf):
    return [tf.nn.ctc_unique_labels(tf.constant([[3, 4, 4, 3], [5, 6, 7, 8]], tf.int64)), tf.nn.ctc_unique_labels(tf.placeholder_with_default([[1, 0]], [None, 2]))]


def case_unique_list(tf):
    return raises(tf.nn.ctc_unique_labels, [[1, 2], [3, 3]])


def case_unique_known(tf):
    return tf.nn.ctc_unique_labels(tf.placeholder_with_default([[1, 0, 1]], [1, 3]))


def case_collapse(tf):
    labels, n = tf.placeholder(tf.int32, [None, None]), tf.placeholder(tf.int32, [None])
    return Case(tf.nn.collapse_repeated(labels, n), feeds={labels: [[1, 1, 2, 2, 1], [1, 1, 2, 3, 4], [5, 5, 0, 0, 0]], n: [5, 4, 1]})


def case_collapse_static(tf):
    return [tf.nn.collapse_repeated(tf.constant([[1, 3, 3, 3, 0], [1, 4, 4, 4, 0], [4, 2, 2, 9, 4]]), [4, 5, 5]), tf.nn.collapse_repeated(tf.constant([[1, 0], [1, 1]], tf.int64), [1, 2], name="c")]


def case_collapse_lists(tf):
    return tf.nn.collapse_repeated([[1, 1, 2], [3, 3, 3]], [3, 2])


def case_greedy(tf):
    x = tf.placeholder(tf.float32, [None] * 3)
    a, b = tf.nn.ctc_greedy_decoder(x, LENGTHS), tf.nn.ctc_greedy_decoder(x, LENGTHS, merge_repeated=False)
    peaks = np.zeros((6, 3, 5), "f4")
    for t, row in enumerate([[0, 1, 4], [0, 4, 4], [4, 1, 2], [0, 1, 2], [3, 0, 2], [3, 0, 4]]):
        for i, label in enumerate(row):
            peaks[t, i, label] = 1 + t
    return Case(runs=[([a, b], {x: X}), ([a, b], {x: peaks}), ([a, b], {x: np.zeros((6, 3, 5))}), ([a, b], {x: -peaks})])


def case_greedy_double(tf):
    return tf.nn.ctc_greedy_decoder(X.astype("f8"), LENGTHS)


def case_greedy_zero(tf):
    return tf.nn.ctc_greedy_decoder(X, [0, 2, 0])


def case_greedy_all_zero(tf):
    return tf.nn.ctc_greedy_decoder(X, [0, 0, 0])


def case_greedy_empty_batch(tf):
    return tf.nn.ctc_greedy_decoder(X[:, :0], np.zeros(0, "i4"))


def case_greedy_empty_time(tf):
    return tf.nn.ctc_greedy_decoder(X[:0], [0, 0, 0])


def case_greedy_over(tf):
    return tf.nn.ctc_greedy_decoder(X, [6, 7, 2])


def case_greedy_nan(tf):
    feed = X.copy()
    feed[1, 0, 2] = np.nan
    return tf.nn.ctc_greedy_decoder(feed, LENGTHS)


def case_greedy_count(tf):
    n = tf.placeholder(tf.int32, [None])
    return Case(tf.nn.ctc_greedy_decoder(X, n), feeds={n: [1, 2]})


def case_greedy_rank(tf):
    x = tf.placeholder(tf.float32)
    return Case(tf.nn.ctc_greedy_decoder(x, LENGTHS), feeds={x: X[0]})


def case_greedy_refused(tf):
    return [raises(tf.nn.ctc_greedy_decoder, X[0], LENGTHS), raises(tf.nn.ctc_greedy_decoder, X, [1, 2]), raises(tf.nn.ctc_greedy_decoder, X.astype("f2"), LENGTHS),
            raises(tf.nn.ctc_greedy_decoder, X, 3)]


def _log(x):
    x = np.exp(x - x.max(-1, keepdims=True))
    return np.log(x / x.sum(-1, keepdims=True))


def case_beam(tf):
    x = tf.placeholder(tf.float32, [None] * 3)
    found = [tf.nn.ctc_beam_search_decoder(x, LENGTHS, beam_width=8, top_paths=3), tf.nn.ctc_beam_search_decoder(x, LENGTHS, merge_repeated=False),
             tf.nn.ctc_beam_search_decoder_v2(x, LENGTHS, 4, 2)]
    return Case(runs=[(found, {x: X}), (found, {x: _log(X)}), (found, {x: X * 3})])


def case_beam_long(tf):
    r = np.random.RandomState(5)
    return tf.nn.ctc_beam_search_decoder(r.randn(30, 4, 7).astype("f4") * 2, [30, 25, 10, 5], beam_width=20, top_paths=4, merge_repeated=False)


def case_beam_random(tf):
    r = np.random.RandomState(8)
    return [tf.nn.ctc_beam_search_decoder(r.randn(20, 3, c).astype("f4") * 2, [20, 9, 4], beam_width=w, merge_repeated=False) for c in (3, 5, 9) for w in (2, 4, 7, 30)]


def case_beam_narrow(tf):
    r = np.random.RandomState(6)
    return [tf.nn.ctc_beam_search_decoder(r.randn(12, 2, 6).astype("f4"), [12, 7], beam_width=w, top_paths=w) for w in (1, 2, 3)]


def case_beam_double(tf):
    return tf.nn.ctc_beam_search_decoder(X.astype("f8"), LENGTHS, 5, 2)


def case_beam_repeats(tf):
    x = np.full((6, 1, 4), -4.0, "f4")
    for t, label in enumerate([0, 0, 3, 0, 1, 1]):
        x[t, 0, label] = 4
    return [tf.nn.ctc_beam_search_decoder(x, [6], 10, 3, merge_repeated=m) for m in (True, False)]


def case_beam_zero_length(tf):
    return tf.nn.ctc_beam_search_decoder(X, [0, 2, 6], 5, 1)


def case_beam_too_few(tf):
    return tf.nn.ctc_beam_search_decoder(X, [0, 2, 6], 5, 2)


def case_beam_top_over(tf):
    return tf.nn.ctc_beam_search_decoder(X, LENGTHS, 2, 3)


def case_beam_over(tf):
    return tf.nn.ctc_beam_search_decoder(X, [6, 7, 2])


def case_beam_empty_batch(tf):
    return tf.nn.ctc_beam_search_decoder(X[:, :0], np.zeros(0, "i4"), 3, 2)


def case_beam_refused(tf):
    return [raises(tf.nn.ctc_beam_search_decoder, X[0], LENGTHS), raises(tf.nn.ctc_beam_search_decoder, X, [1, 2]), raises(tf.nn.ctc_beam_search_decoder, X, LENGTHS, 0),
            raises(tf.nn.ctc_beam_search_decoder, X, LENGTHS, 3, 0), raises(tf.nn.ctc_beam_search_decoder, X.astype("f2"), LENGTHS)]


def case_beam_shapes(tf):
    return Case([tf.nn.ctc_beam_search_decoder(tf.placeholder(tf.float32, s), tf.placeholder(tf.int32, n), 3, 2) for s, n in ((None, None), ([6, None, 5], [3]))] + [
        tf.nn.ctc_greedy_decoder(tf.placeholder(tf.float32, s), tf.placeholder(tf.int32, n)) for s, n in ((None, None), ([6, None, 5], [3]))], graph_only=True)


def case_decoded_error(tf):
    (decoded,), _ = tf.nn.ctc_greedy_decoder(X, LENGTHS)
    return tf.edit_distance(tf.cast(decoded, tf.int32), _sparse(tf))
