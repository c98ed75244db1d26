"""The Einsum op: values, static shapes, errors."""

import numpy as np
from golden_case import Case, raises


def array(*dims, dtype=np.float32):
    return (np.arange(int(np.prod(dims))) % 7 + 1).reshape(dims).astype(dtype)


def turned(x, kind):
    return np.asarray(x * (2 - 1j), kind)


def einsum(tf, equation, *values):
    return tf.raw_ops.Einsum(inputs=[tf.constant(value) for value in values], equation=equation)


def fed(tf, equation, *values, **options):
    shapes = options.get("shapes", [None] * len(values))
    inputs = [tf.placeholder_with_default(value, shape) for value, shape in zip(values, shapes)]
    return tf.raw_ops.Einsum(inputs=inputs, equation=equation)


ONE = [
    ("ij->ji", (2, 3)), ("ij->", (2, 3)), ("->", ()), ("ii->i", (3, 3)), ("ii->", (3, 3)), ("i->ii", (3,)), ("ij->iij", (2, 3)), ("...->...", (2, 3)),
    ("i...->...i", (2, 3, 4)), ("ij->...", (2, 3)), ("1a->a1", (2, 3)), ("aabb->ab", (2, 2, 3, 3)), ("ab->aabb", (2, 3)), ("ij->i", (2, 0)),
    ("ijklmno->onmlkji", (1, 2, 1, 2, 1, 2, 1)), ("...ii->...i", (2, 3, 3)), ("aaaaaaa->a", (2,) * 7), ("a...b->b...", (2, 3, 4, 5)), ("ij->jij", (2, 3)),
    ("...->...", ()), ("a...->a...", (3,)), ("a...->...aa", (3, 2)), ("abc->cba", (2, 3, 4)), ("abc->b", (2, 3, 4)), ("abc->ca", (2, 3, 4)),
]  # fmt: skip
TWO = [
    ("ij,jk->ik", (2, 3), (3, 2)), (",->", (), ()), ("i,i->", (3,), (3,)), ("i,j->ij", (2,), (3,)), ("iij,j->i", (2, 2, 3), (3,)),
    ("...ij,...jk->...ik", (4, 2, 3), (1, 3, 2)), ("...ij,jk->...ik", (4, 2, 3), (3, 2)), ("ij,jk->", (2, 3), (3, 2)), ("ij,jk->ik...", (2, 3), (3, 2)),
    ("ij,ij->ij", (2, 3), (2, 3)), ("ab,cd->", (2, 3), (2, 3)), ("ab,cd->abcd", (2, 1), (2, 1)), ("...ab,...->...a", (2, 2, 3), (2,)),
    ("Ab,bA->A", (2, 3), (3, 2)), ("abc,cba->", (2, 3, 4), (4, 3, 2)), ("i,->i", (3,), ()), (",i->i", (), (3,)), ("aab,bcc->abc", (2, 2, 3), (3, 2, 2)),
    ("abbc,ca->b", (2, 3, 3, 4), (4, 2)), ("ij,jk->ikk", (2, 3), (3, 2)), ("...i,...i->...", (3, 1, 2), (4, 2)), ("...,...->...", (2, 1), (1, 3)),
    ("i...,i...->...", (2, 3), (2, 1)), ("ij,jk->ik", (0, 3), (3, 2)), ("ij,jk->ik", (2, 0), (0, 2)), ("b...,...b->...b", (2, 3), (3, 2)),
    ("bnc,bcm->bnm", (2, 3, 4), (2, 4, 5)), ("bthd,bshd->bhts", (2, 3, 2, 4), (2, 5, 2, 4)), ("...a,...ab->b...", (2, 3), (4, 2, 3, 2)), ("ab,ab->ba", (2, 3), (2, 3)),
    ("a...,b...->ab...", (2, 3, 4), (3, 1, 4)), ("...ij,kj...->ki...", (2, 3, 4), (5, 4, 2)), ("ij,j->i", (2, 3), (3,)), ("i,ij->j", (2,), (2, 3)),
]  # fmt: skip
WRONG = [
    ("ij,jk", (2, 3), (3, 2)), ("ij,jk,kl->il", (2, 2), (2, 2), (2, 2)), ("ij->k", (2, 3)), ("ij,kj->ik", (2, 3), (3, 2)), ("ij", (2, 3)), ("i->i", (2, 3)),
    ("ijk->i", (2, 3)), ("i->i->i", (2,)), ("ij->i j", (2, 3)), ("i j->ji", (2, 3)), ("....->...", (2, 3)), ("..->..", (2, 3)), ("i.->i", (2, 3)),
    ("i...j...->ij", (2, 3)), ("ii->i", (2, 3)), ("ij,ij->ij", (1, 3), (2, 3)), ("...->", (2, 3)), ("...ij,...jk->ik", (4, 2, 3), (4, 3, 2)), ("", ()), ("->i", (3,)),
    (",", (), ()), ("...ij->...ji", (2,)), ("ij,ij->", (2, 3), (3, 2)), ("ij,jk->ik", (2, 3), (3,)), ("ij,jk->ik", (2, 3)), ("ij->ij", (2, 3), (2, 3)),
    ("...i,...i->...", (2, 3), (4, 3)), ("i->>i", (2,)), ("i-->i", (2,)), ("i->i...j", (2,)), ("i->....", (2,)), ("...,...->", (2, 1), (1, 3)),
]  # fmt: skip


def case_one_input(tf):
    return [einsum(tf, equation, array(*dims)) for equation, dims in ONE]


def case_one_input_fed(tf):
    return [fed(tf, equation, array(*dims)) for equation, dims in ONE]


def case_two_inputs(tf):
    return [einsum(tf, equation, array(*x), array(*y)) for equation, x, y in TWO]


def case_two_inputs_fed(tf):
    return [fed(tf, equation, array(*x), array(*y)) for equation, x, y in TWO]


def case_two_inputs_double(tf):
    return [fed(tf, equation, array(*x, dtype=np.float64) / 3, array(*y, dtype=np.float64) / 7) for equation, x, y in TWO]


def case_two_inputs_complex(tf):
    return [einsum(tf, equation, turned(array(*x), np.complex64), turned(array(*y), np.complex64)) for equation, x, y in TWO]


def case_complex128(tf):
    return [einsum(tf, equation, turned(array(*x), np.complex128), turned(array(*y), np.complex128)) for equation, x, y in TWO[:8]]


def case_refused_while_built(tf):
    return [raises(einsum, tf, equation, *[array(*dims) for dims in shapes]) for equation, *shapes in WRONG]


def case_static_shapes(tf):
    x = tf.placeholder
    kinds = [
        ("ij,jk->ik", [None, 3], [3, None]), ("ij,jk->ik", None, [3, None]), ("...ij,jk->...ik", [None, None], None), ("...ij->...ji", None), ("...ij->...ji", [2, None, 4]),
        ("...ij,...->...ji", [None, 2, 3], [2]), ("...ij,...->...ji", [None, 2, 3], [None]), ("...ij,...->...ji", [1, 2, 3], [None]), ("...ij,...->...ji", [4, 2, 3], [None]),
        ("...ij,...->...ji", [None, 2, 3], [1]), ("...ij,...->...ji", [None, 2, 3], None), ("ii->i", [None, 3]), ("ii->i", [None, None]), ("i->ii", [None]), ("i...->i...", None),
        ("ij->i", [3, None]), ("ij,...->ij...", [2, None], None), ("ij,...->ij...", None, [2]), ("ij,ij->ij", [None, 2], [3, None]), ("i,->i", None, []), ("ab...,ab...->...", [2, 3, None], [2, 3, 4, 5]),
    ]  # fmt: skip
    out = [tf.raw_ops.Einsum(inputs=[x(tf.float32, s) for s in shapes], equation=equation) for equation, *shapes in kinds]
    return Case([str(t.shape) for t in out], init=False)


def _refused(equation, *shapes):
    def case(tf):
        return fed(tf, equation, *[array(*dims) for dims in shapes])

    return case


case_refused_sizes = _refused("ij,kj->ik", (2, 3), (3, 2))
case_refused_rank = _refused("i->i", (2, 3))
case_refused_repeated = _refused("ii->i", (2, 3))
case_refused_hidden = _refused("...->", (2, 3))
case_refused_hidden_two = _refused("...ij,...jk->ik", (4, 2, 3), (4, 3, 2))
case_refused_rank_at_least = _refused("...ij->...ji", (2,))
case_refused_broadcast = _refused("...i,...i->...", (2, 3), (4, 3))
case_refused_one = _refused("ij,ij->ij", (1, 3), (2, 3))


def case_refused_integers(tf):
    return tf.raw_ops.Einsum(inputs=[tf.constant([1, 2])], equation="i->")


def case_refused_half(tf):
    return tf.raw_ops.Einsum(inputs=[tf.constant([1.0, 2.0], tf.float16)], equation="i->")


def case_gradient_is_missing(tf):
    x = tf.constant(array(2, 3))
    return raises(tf.gradients, tf.raw_ops.Einsum(inputs=[x], equation="ij->"), x)


def case_special_values(tf):
    x = np.array([[np.nan, 1, np.inf], [0, -np.inf, 2]], np.float32)
    return [fed(tf, "ij,kj->ik", x, x), fed(tf, "ij->i", x), fed(tf, "ij,ij->j", x, x), fed(tf, "i,j->ij", x[0], x[1])]


def case_name_and_attributes(tf):
    x = tf.placeholder(tf.float64, [2, None], name="x")
    named = tf.raw_ops.Einsum(inputs=[x, x], equation="ab,ac->bc", name="named")
    return Case([named], feeds={x: [[1.0, 2.0], [3.0, 4.0]]})


def case_three_factors_of_unknown_length(tf):
    """Where a label is summed over by three inputs, one size of each may be unknown."""
    x, y, v = tf.placeholder(tf.float32, [None, 3]), tf.placeholder(tf.float32, [None, 3]), tf.constant([1.0, 2.0, -1.0])
    found = [tf.einsum("ij,kj,j->", x, y, v), tf.einsum("ij,kj,j->ik", x, x, v), tf.einsum("i,ij,j->j", x[:, 0], x, v)]
    feeds = {x: np.arange(6.0).reshape(2, 3), y: np.ones((4, 3))}
    return Case([found, tf.gradients(found, x)], feeds=feeds)
