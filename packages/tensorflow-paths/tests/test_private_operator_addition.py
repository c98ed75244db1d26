"""Sums of linear operators by `linear_operator_addition`."""

import numpy as np
import pytest

import ossia as tf
from ossia_tensorflow_paths import table
from ossia_tensorflow_paths.python.ops.linalg import linear_operator_addition as addition

ADDERS = ("ScaledIdentity", "Diag", "TriL", "Matrix")
KINDS = ("Identity", "ScaledIdentity", "Diag", "LowerTriangular", "FullMatrix")


@pytest.fixture(autouse=True)
def session():
    with tf.Graph().as_default(), tf.Session() as session:
        yield session


def operator(kind):
    lower = np.array([[1.0, 0.0], [2.0, 3.0]])
    given = {"Identity": (2, None, tf.float64), "ScaledIdentity": (2, np.float64(3.0)), "Diag": (lower.diagonal(),)}
    return getattr(tf.linalg, f"LinearOperator{kind}")(*given.get(kind, (lower,)))


@pytest.mark.parametrize("first", KINDS)
@pytest.mark.parametrize("second", KINDS)
def test_each_pair(session, first, second):
    a, b = operator(first), operator(second)
    least = max(0, *(KINDS.index(kind) - 1 for kind in (first, second)))
    for i, name in enumerate(ADDERS):
        assert getattr(addition, f"_AddAndReturn{name}")().can_add(a, b) == (i >= least)
    (total,) = addition.add_operators([a, b])
    assert type(total).__name__ == "LinearOperator" + ("ScaledIdentity", "Diag", "LowerTriangular", "FullMatrix")[least]
    names = (a.name, b.name) if least % 2 == 0 else (b.name, a.name)  # each tier begins at the other end
    assert total.name == "Add/{}__{}/".format(*names)
    dense, one, other = session.run([total.to_dense(), a.to_dense(), b.to_dense()])
    np.testing.assert_allclose(dense, one + other)


def test_what_is_said_of_sums():
    diagonal = tf.linalg.LinearOperatorDiag
    (total,) = addition.add_operators([diagonal([1.0], is_positive_definite=True)] * 2, operator_name="total")
    assert total.name == "total" and total.is_positive_definite and total.is_non_singular
    hints = addition._Hints(is_positive_definite=False, is_non_singular=True, is_self_adjoint=True)
    total = addition._AddAndReturnMatrix().add(diagonal([1.0]), diagonal([2.0]), "named", hints)
    assert (total.is_positive_definite, total.is_non_singular, total.name) == (False, True, "named")


def test_tiers():
    full, diagonal = operator("FullMatrix"), operator("Diag")
    assert addition.add_operators([diagonal, full, diagonal], addition_tiers=[]) == [diagonal, full, diagonal][::-1]
    sums = addition.add_operators([diagonal, full, diagonal], addition_tiers=[[addition._AddAndReturnDiag()]])
    assert sorted(type(each).__name__ for each in sums) == ["LinearOperatorDiag", "LinearOperatorFullMatrix"]


def test_refusals():
    add, diagonal = addition.add_operators, tf.linalg.LinearOperatorDiag
    for arguments, error, said in (
        ([], ValueError, "at least one operator"), ([1, 2], TypeError, "only LinearOperator instances"),
        (1, TypeError, "to be iterable"),
        ([diagonal([1.0]), diagonal([1.0, 2.0])], ValueError, "same domain dimension"),
        ([tf.linalg.LinearOperatorZeros(2)] * 2, TypeError, "Operator type unknown"),
        ([diagonal(np.ones([2, 3])), diagonal(np.ones([3, 3]))], ValueError, "Incompatible shapes"),
    ):
        with pytest.raises(error, match=said):
            add(arguments)


def test_it_is_served():
    assert "ossia_tensorflow_paths.python.ops.linalg.linear_operator_addition" in table.sources(
        "python.ops.linalg.linear_operator_addition"
    )


def test_functions_of_classes_of_operators():
    from ossia_tensorflow_paths.python.ops.linalg import linear_operator_util as private

    diag = tf.linalg.LinearOperatorDiag
    assert {(diag,), (tf.linalg.LinearOperatorIdentity,)} <= set(private._INVERSES)
    for functions, found in (
        (private._ADJOINTS, private._registered_adjoint), (private._CHOLESKY_DECOMPS, private._registered_cholesky),
        (private._INVERSES, private._registered_inverse), (private._MATMUL, private._registered_matmul),
        (private._SOLVE, private._registered_solve),
    ):
        assert len(functions) and all(found(*kinds) is made for kinds, made in functions.items())
    assert private._registered_matmul(int, int) is None
