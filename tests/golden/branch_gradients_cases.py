"""Gradients through branches: taken in loops, of rows that branches look up, and recorded on tapes."""
import numpy as np
from golden_case import Case, raises

X = np.array([0.5, -1.0, 2.0], np.float32)


def both_ways(tf, test, fetches):
    """The fetches with the branch of each value of `test`."""
    return Case(runs=[(fetches, {test: True}), (fetches, {test: False})])


def case_hessian(tf):
    """The loop that makes the rows takes values of both branches from outside, of which one has none."""
    x, test = tf.constant(X), tf.placeholder_with_default(True, [])
    y = tf.cond(test, lambda: tf.erfc(x), lambda: x * x * tf.tanh(x))
    return both_ways(tf, test, tf.hessians(y, x))


def case_hessian_of_inner_branch(tf):
    x = tf.constant(X)
    test, inner = tf.placeholder_with_default(True, []), tf.placeholder_with_default(True, [])
    y = tf.cond(test, lambda: tf.cond(inner, lambda: tf.exp(x), lambda: x ** 3) * x, lambda: tf.square(x))
    (found,) = tf.hessians(y, x)
    return Case(runs=[(found, {test: a, inner: b}) for a in (True, False) for b in (True, False)])


def case_rows_in_a_loop(tf):
    """Gradients by hand in a loop around a branch, and the gradients of those."""
    x, test = tf.constant(X), tf.placeholder_with_default(True, [])
    y = tf.cond(test, lambda: tf.sin(x), lambda: tf.cos(x) * 2.0)

    def body(i, total):
        return i + 1, total + tf.gradients(y[i], x)[0] * y

    _, total = tf.while_loop(lambda i, total: i < 3, body, [0, tf.zeros([3])])
    return both_ways(tf, test, total)


def case_map_of_branch(tf):
    """A map that uses what a branch made inside of another branch."""
    x, test = tf.constant(X), tf.placeholder_with_default(True, [])

    def taken():
        inner = tf.exp(x)
        return tf.map_fn(lambda t: t * tf.reduce_sum(inner), x)

    y = tf.cond(test, taken, lambda: tf.negative(x))
    return both_ways(tf, test, [y, tf.gradients(y, x)[0]])


def case_indices_of_two_types(tf):
    """Rows looked up with int64 inside of a branch and with int32 outside of it."""
    table = tf.get_variable("table", [4, 2], initializer=tf.glorot_uniform_initializer(seed=2))
    test, scores = tf.placeholder_with_default(True, []), tf.constant([[0.1, 0.9, 0.3], [0.7, 0.2, 0.1]])
    plain = tf.nn.embedding_lookup(table, tf.constant([3, 1]))
    looked_up = tf.cond(test, lambda: plain, lambda: tf.nn.embedding_lookup(table, tf.argmax(scores, 1)))
    both = tf.cond(
        test,
        lambda: tf.nn.embedding_lookup(table, tf.constant([3, 1])),
        lambda: tf.nn.embedding_lookup(table, tf.argmax(scores, 1)),
    )
    (rows,) = tf.gradients([looked_up, both], table)
    return both_ways(tf, test, tf.convert_to_tensor(rows))


def case_tape_and_reference(tf):
    """A tape does not see what becomes of a reference."""
    variable = tf.Variable(X, use_resource=False)
    with tf.GradientTape() as tape:
        tape.watch(variable._ref())
        y = tf.identity(variable._ref()) * 2.0
    return [y, tape.gradient(y, variable._ref(), unconnected_gradients=tf.UnconnectedGradients.ZERO)]


def case_tape_and_branch(tf):
    """Outputs without a gradient count as zeros, before the branch is refused."""
    x, test = tf.constant(X.reshape(1, 1, 1, 3)), tf.placeholder_with_default(True, [])
    ones = tf.ones([3])

    def normed():
        return tf.raw_ops.FusedBatchNormV2(
            x=x, scale=ones, offset=ones, mean=ones, variance=ones, is_training=False)[:3]

    with tf.GradientTape() as tape:
        tape.watch(x)
        found = tf.cond(test, normed, normed)
    return {"error": raises(lambda: tape.gradient(found[1], x))}


def case_hessian_of_batch_normalization(tf):
    """The gradient of a normalisation's gradient plays a tape back, here in the body of a loop."""
    x, scale = tf.constant(np.arange(12, dtype=np.float32).reshape(1, 2, 3, 2)), tf.constant([1.0, 2.0])
    y = tf.raw_ops.FusedBatchNorm(x=x, scale=scale, offset=tf.constant([0.5, 1.0]), mean=tf.constant([]),
                                  variance=tf.constant([]), epsilon=0.01)[0]
    return Case(tf.hessians(y ** 2, scale), graph=False)


def case_rows_given_to_sums_of_exponentials(tf):
    x = tf.constant(X)
    y = tf.math.cumulative_logsumexp(x)
    given = tf.IndexedSlices(tf.constant([1.0, -2.0]), tf.constant([0, 2]), tf.constant([3]))
    return tf.gradients(y, x, [given])
