"""What the original's own tests are made with: base classes, statistics, tables, locks."""

import threading

import numpy as np
import pytest

import ossia as tf
from ossia_linear_operators import algebra
from ossia_tensorflow_paths.python.ops.linalg import linear_operator_util as linear_operators
from ossia_tensorflow_paths.python.util import lock_util as locks
from ossia_tensorflow_tests.python.kernel_tests.random import util as statistics
from ossia_tensorflow_tests.python.ops import spectral_ops_test_util as folding
from ossia_tensorflow_tests.python.ops.linalg import linear_operator_test_util as linear_operator_tests
from ossia_tensorflow_tests.python.training import saver_test_utils as checkpointed


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


class Diagonal(linear_operator_tests.SquareLinearOperatorDerivedClassTest):
    """Diagonal operators of few kinds."""

    factor = 1

    @staticmethod
    def dtypes_to_test():
        return [tf.float64]

    @staticmethod
    def operator_shapes_infos():
        return [linear_operator_tests.OperatorShapesInfo((2, 3, 3))]

    def operator_and_matrix(self, shapes_info, dtype, use_placeholder, ensure_self_adjoint_and_pd=False):
        diag = linear_operator_tests.random_sign_uniform(shapes_info.shape[:-1], 1.0, 2.0, dtype)
        if ensure_self_adjoint_and_pd:
            diag = tf.abs(diag)
        given = tf.placeholder_with_default(diag, None) if use_placeholder else diag
        known = True if ensure_self_adjoint_and_pd else None
        operator = tf.linalg.LinearOperatorDiag(given, is_self_adjoint=known, is_positive_definite=known)
        return operator, tf.linalg.diag(self.factor * diag)


class DiagTest(Diagonal):
    """Such operators beside their matrices."""


linear_operator_tests.add_tests(DiagTest)


@pytest.fixture(scope="module")
def wrong():
    """A test of the same operators beside matrices that they do not stand for."""

    class WrongTest(Diagonal):
        factor = 2

        @staticmethod
        def skip_these_tests():
            return ["det"]

    linear_operator_tests.add_tests(WrongTest)
    return WrongTest


def checks_of(test_class, name=""):
    return [test for test in dir(test_class) if test.startswith(f"test_{name}") and "__" in test]


def test_other_matrices_are_noticed(wrong):
    names = checks_of(wrong)
    assert len(names) == 2 * (8 + 4 * 4)
    for name in names:
        with pytest.raises(AssertionError):
            getattr(wrong(name), name)()


def test_what_is_tested(wrong):
    assert checks_of(DiagTest, "det__")
    assert not checks_of(wrong, "det__")
    name = "test_solve__shape=(2, 3, 3),dtype=<dtype: 'float64'>,use_placeholder=True,adjoint=True,adjoint_arg=False"
    assert name in checks_of(DiagTest)


def test_registered_functions_of_operators():
    class Half(tf.linalg.LinearOperatorIdentity):
        pass

    with pytest.raises(TypeError, match="must be callable"):
        linear_operators.RegisterMatmul(Half, Half)("no function")
    linear_operators.RegisterMatmul(Half, Half)(lambda left, right: "product")
    assert algebra.matmul(Half(2), Half(2)) == "product"
    with pytest.raises(ValueError, match=r"matmul\(Half, Half\) has already been registered"):
        linear_operators.RegisterMatmul(Half, Half)(lambda left, right: None)


def test_hints_and_parameters():
    operator = tf.linalg.LinearOperatorIdentity(2)
    use = linear_operators.use_operator_or_provided_hint_unless_contradicting
    assert use(operator, "is_self_adjoint", None, "wrong") is True
    with pytest.raises(ValueError, match="wrong"):
        use(operator, "is_self_adjoint", False, "wrong")
    variable = tf.Variable(1.0)
    assert linear_operators.convert_nonref_to_tensor(variable) is variable
    assert linear_operators.convert_nonref_to_tensor([1], dtype=tf.int64).dtype == tf.int64
    with pytest.raises(TypeError, match="Mutable type must be of dtype"):
        linear_operators.convert_nonref_to_tensor(variable, dtype=tf.float64)
    linear_operators.assert_is_batch_matrix(tf.zeros([1, 2, 3]))
    with pytest.raises(ValueError, match="at least two dimensions"):
        linear_operators.assert_is_batch_matrix(tf.zeros([3]))
    with tf.Session() as session:
        session.run(linear_operators.assert_compatible_matrix_dimensions(operator, tf.zeros([2, 5])))
        with pytest.raises(tf.errors.InvalidArgumentError):
            session.run(linear_operators.assert_compatible_matrix_dimensions(operator, tf.zeros([5, 2])))


class Normal:
    """The moments of a standard normal distribution."""

    def moment(self, order):
        return float(np.prod(np.arange(order - 1, 0, -2))) if order % 2 == 0 else 0.0


def test_statistics_of_samples():
    samples = np.random.RandomState(7).randn(20000)
    assert max(statistics.test_moment_matching(samples, 4, Normal())) < 4
    assert max(statistics.test_moment_matching(samples + 0.1, 4, Normal(), stride=1)) > 5
    assert statistics.anderson_darling(samples) < 2.5 < statistics.anderson_darling(samples * 1.1)
    uniform = np.random.RandomState(8).rand(10000)
    assert statistics.chi_squared(uniform, 10) < 25 < statistics.chi_squared(uniform**1.1, 10)


def test_truncated_samples():
    samples = np.random.RandomState(9).randn(400000)
    cut = samples[np.abs(samples) <= 2]
    close = {"mean_atol": 0.01, "median_atol": 0.01, "variance_rtol": 0.01}
    statistics.test_truncated_normal(np.testing.assert_equal, np.testing.assert_allclose, cut.size, cut, **close)
    with pytest.raises(AssertionError):
        statistics.test_truncated_normal(
            np.testing.assert_equal, np.testing.assert_allclose, samples.size, samples, **close
        )


def test_a_table_is_saved_and_restored(tmp_path):
    table = checkpointed.CheckpointedOp(name="v")
    assert [op.type for op in tf.get_default_graph().get_operations()] == ["MutableHashTableV2", "LookupTableExportV2"]
    assert [spec.name for spec in table.saveable.specs] == ["v-keys", "v-values"]
    saver = tf.train.Saver()
    with tf.Session() as session:
        session.run(table.insert("k", 3.0))
        path = saver.save(session, str(tmp_path / "model"))
    with tf.Session() as session:
        saver.restore(session, path)
        assert session.run([table.keys(), table.values(), table.lookup("z", -1.0)])[1:] == [[3.0], -1.0]


def test_constants_of_a_graph_are_computed():
    x = tf.placeholder(tf.float32, [2], name="x")
    halves = tf.multiply(tf.range(2.0), 0.5, name="halves")
    total = tf.add(x, halves, name="total")
    folded = folding.grappler_optimize(tf.get_default_graph(), [halves])
    assert [(node.name, node.op) for node in folded.node] == [("halves", "Const")]
    assert tf.make_ndarray(folded.node[0].attr["value"].tensor).tolist() == [0.0, 0.5]
    kept = folding.grappler_optimize(tf.get_default_graph(), [total])
    assert {node.name for node in kept.node} >= {"x", "halves", "total"}
    with folding.fft_kernel_label_map(), tf.Session() as session:
        assert session.run(tf.signal.fft([1.0 + 0j, 0])).tolist() == [1, 1]


def test_groups_hold_a_lock_in_turn():
    lock = locks.GroupLock(2)
    entered = threading.Event()

    def other():
        with lock.group(1):
            entered.set()

    with lock.group(0), lock.group(0):
        waiting = threading.Thread(target=other)
        waiting.start()
        assert not entered.wait(0.05)
    waiting.join(10)
    assert entered.is_set()
    with pytest.raises(ValueError, match="between 0 and 1"):
        lock.acquire(2)
    with pytest.raises(ValueError, match="positive"):
        locks.GroupLock(0)
