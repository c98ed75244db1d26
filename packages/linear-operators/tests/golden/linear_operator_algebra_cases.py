"""Linear operators: products, solutions and hints of pairs, refused arguments, variables, and functions of tensors that take operators."""
# ruff: noqa: B023 - every function is called at once

import itertools

import numpy as np
from golden_case import Case, raises

SPD = {"is_self_adjoint": True, "is_positive_definite": True}
HINTS = ("is_non_singular", "is_self_adjoint", "is_positive_definite", "is_square")
KINDS = ("Diag", "FullMatrix", "LowerTriangular", "Identity", "ScaledIdentity", "Zeros", "Householder", "Toeplitz", "Circulant", "Circulant2D",
         "Composition", "BlockDiag", "Kronecker", "LowRankUpdate", "Adjoint", "Inversion")


def made(tf, kind, dtype="complex64", **hints):
    """An operator of four rows."""
    t = tf.linalg

    def of(*shape):
        return tf.placeholder(dtype, shape)

    if kind == "Composition":
        return t.LinearOperatorComposition([made(tf, "FullMatrix", dtype), made(tf, "Diag", dtype)], **hints)
    if kind == "BlockDiag":
        return t.LinearOperatorBlockDiag([t.LinearOperatorFullMatrix(of(2, 2), **hints), t.LinearOperatorDiag(of(2), **hints)])
    if kind == "Kronecker":
        return t.LinearOperatorKronecker([t.LinearOperatorFullMatrix(of(2, 2), **hints), t.LinearOperatorDiag(of(2), **hints)])
    if kind == "LowRankUpdate":
        return t.LinearOperatorLowRankUpdate(t.LinearOperatorDiag(of(4), **hints), of(4, 1))
    if kind in ("Adjoint", "Inversion"):
        return getattr(t, "LinearOperator" + kind)(made(tf, "FullMatrix", dtype), **hints)
    if kind in ("Identity", "Zeros"):
        return getattr(t, "LinearOperator" + kind)(4, dtype=dtype)
    if kind == "ScaledIdentity":
        return t.LinearOperatorScaledIdentity(4, of(), **hints)
    if kind == "Householder":
        return t.LinearOperatorHouseholder(of(4))
    arguments = {"FullMatrix": [(4, 4)], "LowerTriangular": [(4, 4)], "Toeplitz": [(4,), (4,)], "Circulant2D": [(2, 2)]}.get(kind, [(4,)])
    return getattr(t, "LinearOperator" + kind)(*[of(*shape) for shape in arguments], **hints)


def described(o):
    """Class, name, hints and parts of an operator."""
    text = type(o).__name__ + " " + o.name + " " + " ".join(str(getattr(o, hint)) for hint in HINTS) + " " + str(o.shape)
    parts = list(getattr(o, "operators", [])) + ([o.operator] if hasattr(o, "operator") else [])
    return [text] + [described(part) for part in parts]


def tried(tf, function):
    """What an operation on operators makes, described; the class of the error if it refuses."""
    try:
        return described(function())
    except (NotImplementedError, ValueError, TypeError) as error:
        return type(error).__name__


def _add_pair_cases():
    def add(kind, operation):
        def case(tf):
            return Case([tried(tf, lambda: getattr(made(tf, kind), operation)(made(tf, other))) for other in KINDS], graph_only=True)
        globals()["case_%s_%s" % (operation, kind.lower())] = case

    for kind, operation in itertools.product(KINDS, ("matmul", "solve")):
        add(kind, operation)


_add_pair_cases()


def case_hints_of_products(tf):
    values = (None, True, False)
    found = []
    for pair in (("Diag", "Diag"), ("Diag", "ScaledIdentity"), ("ScaledIdentity", "Diag"), ("FullMatrix", "FullMatrix"), ("Diag", "LowerTriangular"),
                 ("LowerTriangular", "Diag"), ("Circulant", "Circulant")):
        for a, b in itertools.product(values, values):
            for hint in HINTS[:3]:
                for operation in ("matmul", "solve"):
                    found.append(tried(tf, lambda: getattr(made(tf, pair[0], **{hint: a}), operation)(made(tf, pair[1], **{hint: b}))))
            found.append(tried(tf, lambda: made(tf, pair[0], is_self_adjoint=a, is_positive_definite=a).matmul(made(tf, pair[1], is_self_adjoint=b, is_positive_definite=b))))
    return Case(found, graph=False, graph_only=True)


def case_related_of_hinted(tf):
    found = []
    for kind in KINDS:
        for hints in ({}, {"is_non_singular": True}, SPD, {"is_self_adjoint": False}, {"is_positive_definite": True}):
            for operation in ("adjoint", "inverse", "cholesky"):
                found.append(tried(tf, lambda: getattr(made(tf, kind, **hints), operation)()))
    return Case(found, graph=False, graph_only=True)


def case_products_of_adjoints(tf):
    a, b = made(tf, "FullMatrix"), made(tf, "Diag")
    return Case([described(a.matmul(b, adjoint=True)), described(a.matmul(b, adjoint_arg=True)), described(b.matmul(a, adjoint=True, adjoint_arg=True)),
                 described(a.solve(b, adjoint=True)), described(b.solve(a, adjoint_arg=True, name="named")), described(a.H), described(b.H.H)], graph_only=True)


def case_products_not_square(tf):
    wide = tf.linalg.LinearOperatorFullMatrix(np.ones((2, 3), "f4"))
    tall = tf.linalg.LinearOperatorFullMatrix(np.ones((3, 2), "f4"))
    diag = tf.linalg.LinearOperatorDiag(np.ones(2, "f4"))
    unknown = tf.linalg.LinearOperatorFullMatrix(tf.placeholder(tf.float32))
    return Case([tried(tf, f) for f in (
        lambda: wide.matmul(tall), lambda: tall.matmul(wide), lambda: diag.matmul(wide), lambda: tall.matmul(diag), lambda: diag.matmul(tall), lambda: wide.matmul(wide),
        lambda: diag.matmul(wide, adjoint_arg=True), lambda: diag.solve(wide), lambda: diag.solve(tall), lambda: wide.solve(diag), lambda: unknown.matmul(diag),
        lambda: unknown.solve(diag), lambda: tf.linalg.LinearOperatorZeros(2).matmul(wide), lambda: tall.matmul(tf.linalg.LinearOperatorZeros(2)))], graph_only=True)


def case_hints_refused(tf):
    def build(**hints):
        return [str(getattr(tf.linalg.LinearOperatorFullMatrix(np.eye(2), **hints), hint)) for hint in HINTS]

    found = []
    for values in itertools.product((None, True, False), repeat=4):
        try:
            found.append(build(**dict(zip(HINTS, values))))
        except ValueError:
            found.append("ValueError")
    return Case(found, graph=False, graph_only=True)


def case_constructors_refuse(tf):
    t = tf.linalg
    p = tf.placeholder
    eye, u = np.eye(2, dtype="f4"), np.ones((2, 1), "f4")

    def full(x=eye, **hints):
        return t.LinearOperatorFullMatrix(x, **hints)

    cases = []
    for kind in (t.LinearOperatorIdentity, t.LinearOperatorZeros):
        cases += [raises(kind, *args) for args in ((-1,), (2.0,), ([2],), (2, 2, 2), (p(tf.float32),))]
        cases += [raises(kind, 2, batch_shape=batch) for batch in (2, [-1], [1.0], [[1]], p(tf.float32))]
        cases += [raises(kind, 2, **{hint: value}) for hint in HINTS for value in (True, False, None)]
    cases += [raises(t.LinearOperatorZeros, 2, 3), raises(t.LinearOperatorZeros, 2, 3, is_square=False), raises(t.LinearOperatorZeros, 2, -3),
              raises(t.LinearOperatorZeros, 2, 3, is_square=None, is_self_adjoint=False), raises(t.LinearOperatorZeros, 2, 3, is_square=False, is_self_adjoint=False)]
    cases += [raises(t.LinearOperatorScaledIdentity, *args) for args in ((-1, 2.0), (2.0, 2.0), ([2], 2.0), (2, 2))]
    cases += [raises(t.LinearOperatorScaledIdentity, 2, 2.0, **{hint: False}) for hint in HINTS]
    for kind, good in ((t.LinearOperatorDiag, [1.0]), (t.LinearOperatorHouseholder, [1.0]), (t.LinearOperatorFullMatrix, [[1.0]]),
                       (t.LinearOperatorLowerTriangular, [[1.0]]), (t.LinearOperatorCirculant, [1.0]), (t.LinearOperatorCirculant2D, [[1.0]])):
        cases += [raises(kind, x) for x in (1.0, [1.0], [[1.0]], [[1]], None)]
        cases += [raises(lambda: kind(good, **{hint: value}).is_square) for hint in HINTS for value in (True, False)]
    cases += [raises(t.LinearOperatorToeplitz, *args) for args in ((1.0, [1.0]), ([1.0], 1.0), ([1.0], [1.0, 2.0]), (np.ones((2, 3)), np.ones((3, 3))), ([1.0], [1j]))]
    cases += [raises(t.LinearOperatorToeplitz, [1.0], [1.0], is_square=False), raises(t.LinearOperatorCirculant3D, [[1.0]])]
    for kind in (t.LinearOperatorComposition, t.LinearOperatorKronecker, t.LinearOperatorBlockDiag):
        regular, positive = full(is_non_singular=True), full(**SPD)
        cases += [raises(kind, x) for x in ([], None, full(), [full(), full(np.eye(2))], ["a"], [full(np.ones((2, 3), "f4"))] * 2)]
        cases += [raises(kind, [regular, regular], is_non_singular=False), raises(kind, [positive], is_self_adjoint=False),
                  raises(kind, [positive], is_positive_definite=False), raises(lambda: kind([full()], is_square=False).is_square)]
        cases += [raises(lambda: kind([full(np.ones((2, 2, 2), "f4")), full(np.ones((3, 2, 2), "f4"))]).shape)]
    for kind in (t.LinearOperatorAdjoint, t.LinearOperatorInversion):
        cases += [raises(kind, full(**{hint: known}), **{hint: given}) for hint in HINTS[:3] for known in (True, False) for given in (None, True, False)]
        cases += [raises(kind, full(np.ones((2, 3), "f4"))), raises(kind, full(np.ones((2, 3), "f4")), is_square=True), raises(kind, full(), is_square=False), raises(kind, eye)]
    update = t.LinearOperatorLowRankUpdate
    cases += [raises(update, full(), u, is_diag_update_positive=False), raises(update, full(**SPD), u, is_self_adjoint=False), raises(update, full(**SPD), u, is_positive_definite=False),
              raises(update, full(**SPD), u, is_non_singular=False), raises(update, full(), np.ones((3, 1), "f4")), raises(update, full(), u, [1.0, 2.0]),
              raises(update, full(), u, 1.0), raises(update, full(), np.float32([1.0, 2.0])), raises(update, full(np.ones((2, 3), "f4")), u)]
    cases += [raises(t.LinearOperator, tf.float32)]
    return cases


def case_methods_refuse(tf):
    t = tf.linalg
    diag, wide = t.LinearOperatorDiag([1.0, 2.0]), t.LinearOperatorFullMatrix(np.ones((2, 3), "f4"))
    eye = np.eye(2)
    singular = t.LinearOperatorDiag([1.0], is_non_singular=False)
    return [raises(diag.matmul, [[1.0, 2.0, 3.0]]), raises(diag.matmul, eye), raises(diag.matmul, [1.0, 2.0]), raises(diag.matvec, [1.0, 2.0, 3.0]), raises(diag.solve, [[1.0, 2.0, 3.0]]),
            raises(diag.solvevec, [1.0]), raises(diag.add_to_tensor, eye), raises(diag.matmul, t.LinearOperatorDiag([1.0, 2.0, 3.0])), raises(diag.matmul, t.LinearOperatorDiag(np.ones(2))),
            raises(diag.matmul, "a"), raises(singular.solve, [[1.0]]), raises(singular.inverse), raises(wide.inverse), raises(wide.cholesky), raises(wide.determinant),
            raises(wide.log_abs_determinant), raises(wide.trace), raises(wide.solve, [[1.0], [2.0]]), raises(wide.solvevec, [1.0, 2.0]), raises(t.LinearOperatorZeros(2).inverse),
            raises(t.LinearOperatorFullMatrix(eye, is_self_adjoint=True).assert_positive_definite), raises(t.LinearOperatorFullMatrix(eye).assert_positive_definite)]


def case_assertions_run(tf):
    t = tf.linalg
    x = tf.placeholder(tf.float64, [2, 2])
    full, diag = t.LinearOperatorFullMatrix(x, is_self_adjoint=True), t.LinearOperatorDiag(x)
    with tf.control_dependencies([full.assert_non_singular(), full.assert_positive_definite(), full.assert_self_adjoint(), diag.assert_positive_definite(),
                                  diag.assert_non_singular(), diag.assert_self_adjoint(), t.LinearOperatorToeplitz(x, x).assert_self_adjoint()]):
        return Case([tf.identity(x)], feeds={x: [[2.0, 1.0], [1.0, 3.0]]}, graph=False)


def case_assertion_fails(tf):
    x = tf.placeholder(tf.float64, [2])
    with tf.control_dependencies([tf.linalg.LinearOperatorDiag(x).assert_non_singular()]):
        return Case([tf.identity(x)], feeds={x: [0.0, 1.0]}, graph=False)


def case_proper_shapes_asserted(tf):
    n, batch = tf.placeholder(tf.int32), tf.placeholder(tf.int32)
    t = tf.linalg
    return Case([t.LinearOperatorIdentity(n, batch, assert_proper_shapes=True).to_dense(), t.LinearOperatorScaledIdentity(n, 2.0, assert_proper_shapes=True).to_dense(),
                 t.LinearOperatorZeros(n, batch_shape=batch, assert_proper_shapes=True).to_dense()], feeds={n: 2, batch: [3]})


def _add_variable_cases():
    def add(use_resource):
        def case(tf):
            fetches = []
            for kind, shapes in (("Diag", [[3]]), ("FullMatrix", [[3, 3]]), ("LowerTriangular", [[3, 3]]), ("Householder", [[3]]), ("Toeplitz", [[3], [3]]), ("Circulant", [[3]])):
                variables = [tf.get_variable("%s%d" % (kind, i), shape, use_resource=use_resource, initializer=tf.ones_initializer()) for i, shape in enumerate(shapes)]
                o = getattr(tf.linalg, "LinearOperator" + kind)(*variables)
                y = o.matmul(tf.ones([3, 2], o.dtype))
                fetches += [[x.name for x in o.graph_parents], len(o.variables), len(o.trainable_variables), len(o.submodules), o.to_dense(), o.shape_tensor(),
                            tf.gradients(y, variables, grad_ys=y)]
            scale = tf.get_variable("scale", [], use_resource=use_resource, initializer=tf.ones_initializer())
            o = tf.linalg.LinearOperatorScaledIdentity(3, scale)
            both = tf.linalg.LinearOperatorComposition([o, o])
            return Case(fetches + [len(both.variables), len(both.submodules), o.determinant(), o.trace(), both.to_dense()])
        globals()["case_of_%s_variables" % ("resource" if use_resource else "ref")] = case

    add(True)
    add(False)


_add_variable_cases()


def case_functions_of_tensors(tf):
    t = tf.linalg
    x = tf.placeholder(tf.float32, [2, 2])
    diag, positive, full = t.LinearOperatorDiag([1.0, 2.0]), t.LinearOperatorDiag([1.0, 2.0], **SPD), t.LinearOperatorFullMatrix(x)
    operators = [t.inv(diag), t.inv(full, adjoint=True), t.adjoint(full), t.cholesky(positive), tf.matmul(diag, full), t.solve(full, diag)]
    return Case([[described(o) for o in operators], tf.matmul(diag, x), tf.matmul(x, diag, name="named"), tf.matmul(full, x, adjoint_a=True), t.matvec(diag, [1.0, 2.0]),
                 t.solve(full, x), t.det(diag), t.trace(full, name="trace"), t.diag_part(full), t.logdet(positive), t.inv(x), t.det(x), tf.matmul(x, x)],
                feeds={x: [[2.0, 1.0], [0.5, 3.0]]})


def case_functions_of_tensors_refuse(tf):
    t = tf.linalg
    diag, x = t.LinearOperatorDiag([1.0, 2.0]), tf.placeholder(tf.float32, [2, 2])
    return [raises(tf.matmul, diag, x, transpose_a=True), raises(tf.matmul, diag, x, a_is_sparse=True), raises(t.solve, x, diag), raises(t.logdet, diag), raises(t.cholesky, diag),
            raises(tf.convert_to_tensor, diag), raises(tf.add, diag, x), raises(t.inv, "a"), raises(t.slogdet, diag), raises(t.eigvalsh, diag)]


def case_own_kind(tf):
    class Twice(tf.linalg.LinearOperator):
        """Twice the identity."""

        def _shape(self):
            return tf.TensorShape([2, 2])

        def _shape_tensor(self):
            return tf.constant([2, 2])

        def _matmul(self, x, adjoint=False, adjoint_arg=False):
            return 2.0 * (tf.linalg.adjoint(x) if adjoint_arg else x)

    o, x = Twice(tf.float32, name="mine"), tf.placeholder(tf.float32, [2, 2])
    plain = Twice("float32", graph_parents=[x])
    return Case([described(o), described(o.inverse()), described(o.matmul(plain)), described(o.adjoint()), plain.name, o.to_dense(), o.matmul(x), o.matvec([1.0, 2.0]), o.solve(x), o.determinant(),
                 o.log_abs_determinant(), o.trace(), o.diag_part(), o.add_to_tensor(x), o.inverse().to_dense(), o.matmul(plain).to_dense(), o.solvevec([1.0, 2.0]), o.shape_tensor()],
                feeds={x: [[2.0, 1.0], [0.5, 3.0]]})


def case_own_kind_refused(tf):
    class Incomplete(tf.linalg.LinearOperator):
        """Lacks its product."""

        def _shape(self):
            return tf.TensorShape([2, 2])

        def _shape_tensor(self):
            return tf.constant([2, 2])

    class Whole(Incomplete):
        """Has it."""

        def _matmul(self, x, adjoint=False, adjoint_arg=False):
            return x

    return [raises(Incomplete, tf.float32), raises(Whole, tf.float32), raises(Whole, tf.float32, graph_parents=[None]), raises(Whole, tf.float32, graph_parents=["a"]),
            raises(Whole, tf.float32, graph_parents=[np.ones(2)]), raises(lambda: Whole(tf.float32, is_square=False).is_square), raises(Whole, "no dtype")]


def case_solutions_of_many(tf):
    full, lower = (getattr(tf.linalg, "LinearOperator" + kind)(tf.placeholder(tf.float32, [3, 3])) for kind in ("FullMatrix", "LowerTriangular"))
    batch = tf.linalg.LinearOperatorFullMatrix(tf.placeholder(tf.float32, [2, 3, 3]))
    positive = tf.linalg.LinearOperatorFullMatrix(tf.placeholder(tf.float32, [3, 3]), **SPD)
    found = []
    for shape in ([2, 3, 2], [2, 3, 3], [1, 3, 1], [4, 2, 3, 9], [0, 3, 2], [None, 3, 9], [2, None, None]):
        for o in (full, lower, batch, positive):
            if o is not batch or shape[0] in (2, 4, None):
                x = tf.placeholder(tf.float32, shape)
                found += [o.solve(x), o.solve(x, adjoint=True)]
    return Case([[str(x.shape) for x in found]], graph_only=True)


def case_solutions_of_many_run(tf):
    a = tf.constant([[2.0, 1.0, 0.5], [-1.0, 3.0, 0.25], [0.5, 0.75, 4.0]], tf.float64)
    x = tf.placeholder(tf.float64, [None, 3, 2])
    full, lower = tf.linalg.LinearOperatorFullMatrix(a), tf.linalg.LinearOperatorLowerTriangular(a)
    return Case([full.solve(x), full.solve(x, adjoint=True), lower.solve(x), lower.solve(x, adjoint=True)], feeds={x: np.arange(12.0).reshape(2, 3, 2)})


def case_kernels_of_circulants(tf):
    o = tf.linalg.LinearOperatorCirculant2D(tf.constant([[3.0, 1.0], [2.0, 4.0], [1.0, 5.0]]))
    return Case([o.convolution_kernel(), o.convolution_kernel(name="named"), o.block_depth, str(o.block_shape), o.block_shape_tensor(), o.spectrum.name,
                 tf.linalg.LinearOperatorCirculant([1.0, 2.0], input_output_dtype=tf.float32).convolution_kernel(),
                 tf.linalg.LinearOperatorCirculant3D(tf.placeholder(tf.float32, [2, None, 3, 4])).block_depth])


def case_parts_of_updates(tf):
    t = tf.linalg
    base = t.LinearOperatorDiag([1.0, 2.0])
    o, plain = t.LinearOperatorLowRankUpdate(base, [[1.0], [2.0]], [3.0], is_diag_update_positive=True), t.LinearOperatorLowRankUpdate(base, [[1.0], [2.0]], v=[[2.0], [3.0]])
    return Case([o.u.name, o.v.name, o.diag_update.name, str(o.is_diag_update_positive), described(o.diag_operator), described(o.base_operator), described(plain.diag_operator),
                 plain.v.name, str(plain.diag_update), str(plain.is_diag_update_positive), o.to_dense(), plain.determinant()])
