"""Calls that no program means: numbers beyond 32 bits, empty tensors, lengths and shapes that do not fit."""
import numpy as np
from golden_case import outcomes

BIG = 2**32 + 1


def _fed(tf, value, dtype):
    return tf.placeholder_with_default(np.array(value, dtype), None)


def _pool(kind, name, ksize, strides):
    rank = len(ksize) if kind.endswith("3D") else 4
    x = np.ones([2] + [4] * (rank - 2) + [2], np.float32)

    def make(tf):
        arg = "value" if kind == "AvgPool" else "input"
        found = getattr(tf.raw_ops, kind)(ksize=ksize, strides=strides, padding="SAME", **{arg: tf.constant(x)})
        return found[0] if isinstance(found, tuple) else found
    return make


def case_windows(tf):
    plain, deep = [1, 2, 2, 1], [1, 2, 2, 2, 1]
    calls = []
    for kind, good in (("MaxPool", plain), ("AvgPool", plain), ("MaxPool3D", deep), ("AvgPool3D", deep)):
        end = len(good) - 1
        for at, size in ((0, -1), (0, 2), (end, -1), (end, BIG), (1, BIG)):
            changed = list(good)
            changed[at] = size
            calls += [_pool(kind, "ksize", changed, good), _pool(kind, "strides", good, changed)]
            if at == end and size == -1 and "3D" not in kind:
                calls.pop()  # what the original does not look at
        calls += [_pool(kind, "ksize", good + [1], good), _pool(kind, "strides", good, good + [1])]
    return outcomes(tf, calls)


def case_numbers_of_32_bits(tf):
    raw, x = tf.raw_ops, np.ones([1, 2, 2, 4], np.float32)
    return outcomes(tf, [
        lambda tf: raw.Conv2D(input=x, filter=x[:, :1].reshape(1, 1, 4, 2), strides=[1, BIG, 1, 1], padding="SAME"),
        lambda tf: raw.SpaceToDepth(input=x, block_size=BIG),
        lambda tf: raw.OneHot(indices=[1], depth=2, on_value=1.0, off_value=0.0, axis=BIG),
        lambda tf: raw.StridedSlice(input=[1, 2], begin=[0], end=[1], strides=[1], begin_mask=BIG),
        lambda tf: raw.InTopK(predictions=[[1.0, 2.0]], targets=[1], k=BIG),
        lambda tf: raw.AsString(input=[1.5], width=BIG),
        lambda tf: raw.StringSplitV2(input=["a b"], sep="", maxsplit=BIG),
        lambda tf: raw.Print(input=[1.0], data=[], summarize=-BIG),
        lambda tf: raw.UniformCandidateSampler(true_classes=[[1]], num_true=1, num_sampled=BIG, unique=True, range_max=5),
        lambda tf: raw.CTCBeamSearchDecoder(inputs=x[0], sequence_length=[2, 2], beam_width=BIG, top_paths=1)[0],
        lambda tf: raw.LRN(input=x, depth_radius=BIG),
        lambda tf: raw.LRN(input=x, depth_radius=-1),
        lambda tf: raw.CountUpTo(ref=tf.Variable(0, use_resource=False)._ref(), limit=BIG),
        lambda tf: raw.CountUpTo(ref=tf.Variable(np.int64(3), use_resource=False)._ref(), limit=BIG),
    ])


def case_rolls(tf):
    pairs = [(1, [0]), ([1], 0), ([1, 2], [0]), ([1], [-2]), ([1], [3]), ([], [])]
    return outcomes(tf, [
        lambda tf, shift=shift, axis=axis: tf.raw_ops.Roll(
            input=np.arange(3), shift=_fed(tf, shift, np.int32), axis=_fed(tf, axis, np.int32))
        for shift, axis in pairs])


def case_elements_of_nothing(tf):
    calls = []
    for params in ((0, 2), (2, 0), (0,), (3, 2)):
        for indices in ((2, 0), (0, 1), (0, 0), (0,)):
            calls.append(lambda tf, p=params, i=indices: tf.gather_nd(
                _fed(tf, np.zeros(p), np.float32), _fed(tf, np.zeros(i), np.int32)))
            calls.append(lambda tf, p=params, i=indices: tf.raw_ops.ResourceGatherNd(
                resource=tf.Variable(np.zeros(p, np.float32), use_resource=True).handle,
                indices=_fed(tf, np.zeros(i), np.int32), dtype=tf.float32))
    return outcomes(tf, calls)


def case_slices_of_nothing(tf):
    calls = []
    for shape in ((3, 1, 0), (0, 2), (3, 2)):
        for resource in (False, True):
            for rows in ((2, 1), (0, 1)):
                calls.append(lambda tf, shape=shape, resource=resource, rows=rows: tf.scatter_nd_add(
                    tf.Variable(np.zeros(shape, np.float32), use_resource=resource), _fed(tf, np.zeros(rows), np.int32),
                    _fed(tf, np.zeros(rows[:1] + shape[1:]), np.float32)))
    return outcomes(tf, calls)


def case_lengths_of_sequences(tf):
    x = np.random.RandomState(0).randn(5, 2, 4).astype(np.float32)
    labels = dict(labels_indices=np.array([[0, 0], [1, 0]]), labels_values=np.array([1, 2], np.int32))
    calls = []
    for lengths in ([-1, 3], [0, 0], [6, 2], [3, -5]):
        calls += [
            lambda tf, n=lengths: tf.raw_ops.CTCGreedyDecoder(inputs=x, sequence_length=_fed(tf, n, np.int32))[1],
            lambda tf, n=lengths: tf.raw_ops.CTCBeamSearchDecoder(
                inputs=x, sequence_length=_fed(tf, n, np.int32), beam_width=3, top_paths=1)[1][0]]
        if min(lengths):
            calls += [lambda tf, n=lengths: tf.raw_ops.CTCLoss(inputs=x, sequence_length=_fed(tf, n, np.int32), **labels)[0]]
    return outcomes(tf, calls)


def case_distances(tf):
    good = ([[0, 0], [1, 0]], [1.0, 2.0], [2, 1])
    bad = [
        (good[0], [1.0], good[2]), (good[0], [1.0, 2.0, 3.0], good[2]), (good[0], good[1], [2, 1, 1]),
        ([0, 1], good[1], good[2]), (good[0], [[1.0], [2.0]], good[2]), (good[0], good[1], [[2, 1]]),
    ]

    def distance(tf, first, second):
        parts = ("indices", np.int64), ("values", np.float32), ("shape", np.int64)
        named = {"%s_%s" % (side, name): _fed(tf, value, dtype)
                 for side, items in (("hypothesis", first), ("truth", second))
                 for (name, dtype), value in zip(parts, items)}
        return tf.raw_ops.EditDistance(**named)
    return outcomes(tf, [lambda tf, item=item: distance(tf, item, good) for item in bad] +
                [lambda tf, item=item: distance(tf, good, item) for item in bad])


def case_texts(tf):
    def formatted(tf, template, count):
        return tf.raw_ops.StringFormat(inputs=[_fed(tf, 1.0, np.float32)] * count, template=template, placeholder="%s")
    return outcomes(tf, [lambda tf, t=t, n=n: formatted(tf, t, n) for t in ("%s%s", "x") for n in (0, 1, 2)] + [
        lambda tf, stream=stream: tf.raw_ops.PrintV2(input="x", output_stream=stream)
        for stream in ("", "file://", "LOG(INFO)", "log(fatal)")])


def case_static_values(tf):
    x = tf.zeros([2, 3])
    return [[str(value.dtype), value.tolist()] for value in (
        tf.get_static_value(tf.size(x, out_type=tf.int64)), tf.get_static_value(tf.size(x)),
        tf.get_static_value(tf.range(0.0, 1.0, 0.1)), tf.get_static_value(tf.range(5)))]
