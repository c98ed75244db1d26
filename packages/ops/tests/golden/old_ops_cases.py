"""Ops that later versions of the original no longer build, in graphs that older ones have written."""
import numpy as np
from golden_case import Case

A = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, -1.0], [0.5, -1.0, 5.0]], "f4")
L = np.linalg.cholesky(A)
B = np.array([[1.0, 2.0], [0.5, -1.0], [3.0, 0.25]], "f4")
X = np.arange(60.0, dtype="f4").reshape(5, 6, 2)


def old(op, inputs, shapes, producer, **attrs):
    """A case of a node of a type: of what it gives for arrays, with input shapes that are known as far as `shapes` say."""
    def case(tf):
        with tf.Graph().as_default():
            for k, (value, shape) in enumerate(zip(inputs, shapes)):
                tf.placeholder(value.dtype, shape, name="in_%d" % k)
            proto = tf.get_default_graph().as_graph_def()
        node = proto.node.add(name="op", op=op)
        node.input.extend("in_%d" % k for k in range(len(inputs)))
        for key, value in attrs.items():
            if isinstance(value, str):
                node.attr[key].type = tf.as_dtype(value).as_datatype_enum
            elif isinstance(value, bool):
                node.attr[key].b = value
            else:
                node.attr[key].i = value
        proto.versions.producer = producer
        tf.import_graph_def(proto, name="")
        graph = tf.get_default_graph()
        feeds = {graph.get_tensor_by_name("in_%d:0" % k): value for k, value in enumerate(inputs)}
        # Without vectors, the original leaves the outputs for them as they are.
        used = 1 if False in (attrs.get("compute_v"), attrs.get("compute_uv")) else None
        return Case(list(graph.get_operation_by_name("op").outputs)[:used], feeds=feeds, tolerance=1e-4, graph=False)
    return case


def both(name, op, inputs, producer=10, **attrs):
    """Two cases: with known shapes, and with unknown ones."""
    globals()["case_" + name] = old(op, inputs, [i.shape for i in inputs], producer, **attrs)
    globals()["case_" + name + "_unknown"] = old(op, inputs, [None] * len(inputs), producer, **attrs)


TWO = np.stack([A, A + np.eye(3, dtype="f4")])
for _dtype in ("float32", "float64"):
    _a, _b, _l = (x.astype(_dtype) for x in (A, B, L))
    both("cholesky_" + _dtype, "BatchCholesky", [_a], T=_dtype)
    both("cholesky_grad_" + _dtype, "BatchCholeskyGrad", [_l, np.arange(9).reshape(3, 3).astype(_dtype)], T=_dtype)
    both("determinant_" + _dtype, "BatchMatrixDeterminant", [_a], T=_dtype)
    both("inverse_" + _dtype, "BatchMatrixInverse", [_a], T=_dtype, adjoint=True)
    both("solve_" + _dtype, "BatchMatrixSolve", [_a, _b], T=_dtype, adjoint=True)
    both("solve_ls_" + _dtype, "BatchMatrixSolveLs", [_a, _b, np.float64(0.5)], T=_dtype)
    both("triangular_solve_" + _dtype, "BatchMatrixTriangularSolve", [_l, _b], T=_dtype, lower=True)
    both("eig_values_" + _dtype, "BatchSelfAdjointEigV2", [_a], T=_dtype, compute_v=False)
    both("svd_values_" + _dtype, "BatchSvd", [_b], T=_dtype, compute_uv=False)
both("cholesky_batch", "BatchCholesky", [TWO], T="float32")
both("cholesky_grad_batch", "BatchCholeskyGrad", [np.linalg.cholesky(TWO), TWO], T="float32")
both("determinant_batch", "BatchMatrixDeterminant", [TWO], T="float32")
both("inverse_batch", "BatchMatrixInverse", [TWO], T="float32")
both("solve_batch", "BatchMatrixSolve", [TWO, np.stack([B, B])], T="float32")
both("solve_ls_batch", "BatchMatrixSolveLs", [TWO, np.stack([B, B]), np.float64(0)], T="float32", fast=False)
both("band", "BatchMatrixBandPart", [TWO, np.int64(0), np.int64(1)], T="float32")
both("diag", "BatchMatrixDiag", [B], T="float32")
both("diag_part", "BatchMatrixDiagPart", [TWO], T="float32")
both("set_diag", "BatchMatrixSetDiag", [TWO, np.array([[1, 2, 3], [4, 5, 6]], "f4")], T="float32")
both("diag_int", "BatchMatrixDiag", [np.array([1, 2], "i4")], T="int32")
DIAGONAL = np.diag(np.array([3.0, 1.0, 2.0], "f4"))
both("eig_of_diagonal", "BatchSelfAdjointEig", [DIAGONAL[:1, :1]], T="float32")
both("eig_of_one", "SelfAdjointEig", [DIAGONAL[:1, :1]], T="float32")
both("eig_of_batch", "SelfAdjointEig", [np.array([[[2.0]], [[5.0]]], "f8")], T="float64")
globals()["case_eig_not_square"] = old("SelfAdjointEig", [B], [B.shape], 10, T="float32")
both("cholesky_gradient", "CholeskyGrad", [L, A], producer=100, T="float32")
both("cholesky_gradient_batch", "CholeskyGrad", [np.linalg.cholesky(TWO).astype("f8"), TWO.astype("f8")], producer=100, T="float64")
both("cholesky_gradient_empty", "CholeskyGrad", [np.zeros((0, 0), "f4"), np.zeros((0, 0), "f4")], producer=100, T="float32")
both("cholesky_gradient_not_square", "CholeskyGrad", [B, B], producer=100, T="float32")
both("cholesky_gradient_other_shape", "CholeskyGrad", [L, A[:2, :2]], producer=100, T="float32")

for _size in ((2, 3), (5, 3), (2, 6), (5, 6), (1, 1), (0, 0), (6, 3), (2, 7)):
    for _seeds in ((1, 2), (7, 0)):
        both("crop_%d_%d_seed_%d" % (_size + _seeds[:1]), "RandomCrop", [X, np.array(_size, "i8")], producer=7, T="float32", seed=_seeds[0], seed2=_seeds[1])
both("crop_int", "RandomCrop", [np.arange(60, dtype="u1").reshape(5, 6, 2), np.array([3, 2], "i8")], producer=7, T="uint8", seed=4, seed2=5)
both("crop_of_rank_2", "RandomCrop", [X[0], np.array([3, 2], "i8")], producer=7, T="float32", seed=4, seed2=5)
both("crop_to_3", "RandomCrop", [X, np.array([3, 2, 1], "i8")], producer=7, T="float32", seed=4, seed2=5)


def case_crop_again(tf):
    case = old("RandomCrop", [X, np.array([2, 2], "i8")], [(5, 6, 2), (2,)], 7, T="float32", seed=4, seed2=5)(tf)
    return Case(case.fetches, feeds=case.feeds, steps=5, graph=False)


def case_placeholder(tf):
    proto = tf.GraphDef()
    node = proto.node.add(name="op", op="PlaceholderV2")
    node.attr["dtype"].type = tf.float32.as_datatype_enum
    node.attr["shape"].shape.dim.add(size=2)
    proto.versions.producer = 20
    tf.import_graph_def(proto, name="")
    x = tf.get_default_graph().get_tensor_by_name("op:0")
    return Case([x * 2], feeds={x: [1.0, 2.0]}, graph=False)


def case_placeholder_not_fed(tf):
    proto = tf.GraphDef()
    node = proto.node.add(name="op", op="PlaceholderV2")
    node.attr["dtype"].type = tf.float32.as_datatype_enum
    node.attr["shape"].shape.dim.add(size=2)
    proto.versions.producer = 20
    tf.import_graph_def(proto, name="")
    return Case([tf.get_default_graph().get_tensor_by_name("op:0") * 2], graph=False)
