"""What distributions are made with, and invertible maps, under the names of the original's private modules."""

import numpy as np
import pytest

import ossia as tf
from ossia_tensorflow_paths.python.ops.distributions import softplus
from ossia_tensorflow_paths.python.ops.distributions import special_math as pieces
from ossia_tensorflow_paths.python.ops.distributions import util as shapes
from ossia_tensorflow_paths.python.ops.distributions.bijector_impl import Bijector, Identity
from ossia_tensorflow_paths.python.ops.distributions.transformed_distribution import TransformedDistribution
from ossia_tensorflow_tests.python.ops.distributions import bijector_test_util as bijector_checks


@pytest.fixture(autouse=True)
def session():
    with tf.Graph().as_default() as graph, tf.Session(graph=graph) as session:
        yield session


def unknown(value, dims=None):
    return tf.placeholder_with_default(np.asarray(value), dims)


class Exponential(Bijector):
    def __init__(self, **kwargs):
        super().__init__(name="exp", **{"forward_min_event_ndims": 0, **kwargs})
        self.calls = []

    def _forward(self, x):
        self.calls.append("forward")
        return tf.exp(x)

    def _inverse(self, y):
        self.calls.append("inverse")
        return tf.log(y)

    def _inverse_log_det_jacobian(self, y):
        self.calls.append("log_det")
        return -tf.log(y)


def test_what_goes_forth_comes_back_without_an_op(session):
    bijector, x = Exponential(), tf.constant([[0.5, 1.0, 2.0], [3.0, 4.0, 1.0]])
    y = bijector.forward(x)
    assert (bijector.inverse(y) is x, bijector.forward(x) is y, y.op.name) == (True, True, "exp/forward/Exp")
    of_y = bijector.inverse_log_det_jacobian(y, event_ndims=1)
    assert bijector.inverse_log_det_jacobian(y, event_ndims=1) is of_y
    of_x = bijector.forward_log_det_jacobian(x, event_ndims=1)
    assert bijector.calls == ["forward", "log_det"]
    assert (of_x.shape.as_list(), session.run(of_x).tolist()) == ([2], [3.5, 8.0])


def test_log_determinants_of_events(session):
    x = tf.constant([[0.5, 1.0, 2.0], [3.0, 4.0, 1.0]])
    for least, ndims, wanted in ((0, 0, [[0.5, 1, 2], [3, 4, 1]]), (0, 2, 11.5), (2, 3, [3.5, 8]), (1, 3, 11.5)):
        found = Exponential(forward_min_event_ndims=least).forward_log_det_jacobian(x, event_ndims=ndims)
        np.testing.assert_allclose(session.run(found), wanted, rtol=1e-6)
    ndims = tf.placeholder(tf.int32)
    checked = Exponential(validate_args=True).forward_log_det_jacobian(x, event_ndims=ndims)
    assert session.run(checked, {ndims: 1}).tolist() == [3.5, 8]
    with pytest.raises(tf.errors.InvalidArgumentError, match="Expected scalar"):
        session.run(checked, {ndims: [1, 2]})


@pytest.mark.parametrize("ndims, message", [
    (0, r"event_ndims \(0\) must be larger than min_event_ndims \(1\)"), (1.5, "Expected integer"),
    ((1, 2), "Expected scalar"),
])
def test_refused_events(ndims, message):
    with pytest.raises(ValueError, match=message):
        Exponential(forward_min_event_ndims=1).inverse_log_det_jacobian([[1.0]], event_ndims=ndims)


def test_a_map_without_functions():
    class Bare(Bijector):
        def __init__(self, **kwargs):
            super().__init__(**kwargs)

    bare = Bare(inverse_min_event_ndims=1)
    assert (bare.name, bare.forward_min_event_ndims, bare.dtype, bare.graph_parents) == ("bare", 1, None, [])
    assert bare.forward_event_shape([None, 2]).as_list() == [None, 2]
    for call in (lambda: bare.forward(0.0), lambda: bare.inverse(0.0), lambda: bare.forward_log_det_jacobian(0.0, 1)):
        with pytest.raises(NotImplementedError, match="not implemented"):
            call()
    for options, error in (({}, ValueError), ({"forward_min_event_ndims": -1}, ValueError),
                           ({"forward_min_event_ndims": 1.5}, TypeError)):
        with pytest.raises(error):
            Bare(**options)


def test_checks_of_maps(session):
    for bijector in (Exponential(), Identity()):
        bijector_checks.assert_scalar_congruency(bijector, lower_x=-2.0, upper_x=1.5, rtol=0.05, sess=session)
        bijector_checks.assert_bijective_and_finite(
            bijector, np.float32([-1, 0, 2]), np.float32([0.5, 1, 3]), event_ndims=0, rtol=1e-4, sess=session)
    bijector_checks.assert_strictly_monotonic([3, 2, 1])
    with pytest.raises(AssertionError):
        bijector_checks.assert_strictly_monotonic([1, 1, 2])
    with pytest.raises(AssertionError, match="not all finite"):
        bijector_checks.assert_finite([1, np.inf])


def test_static_values(session):
    x = tf.zeros([2, 3])
    assert shapes.maybe_get_static_value(tf.constant([1, 2]), np.float64).dtype == np.float64
    assert shapes.maybe_get_static_value(unknown(1)) is None
    assert (shapes.prefer_static_rank(x), shapes.prefer_static_shape(x).tolist()) == (2, [2, 3])
    assert session.run(shapes.prefer_static_rank(unknown(np.zeros([2, 3])))) == 2
    assert shapes.prefer_static_broadcast_shape([2, 1], tf.TensorShape([1, 3])).as_list() == [2, 3]
    assert session.run(shapes.prefer_static_broadcast_shape(unknown(np.int32([2, 1])), [1, 3])).tolist() == [2, 3]
    pairs = ((x, tf.zeros([2, 3]), True), (x, unknown(np.zeros([3, 2])), False), (x, x[0], False))
    assert [session.run(shapes.same_dynamic_shape(a, b)) for a, b, _ in pairs] == [wanted for *_, wanted in pairs]


def test_dimensions_are_rotated(session):
    for x in (tf.zeros([1, 2, 3, 4]), unknown(np.zeros([1, 2, 3, 4]))):
        for shift, wanted in ((1, [4, 1, 2, 3]), (-1, [2, 3, 4, 1]), (unknown(np.int32(-7)), [4, 1, 2, 3])):
            assert session.run(tf.shape(shapes.rotate_transpose(x, shift))).tolist() == wanted


def test_triangles(session):
    lower = shapes.fill_triangular(tf.range(1, 7))
    assert session.run(lower).tolist() == [[4, 0, 0], [6, 5, 0], [3, 2, 1]]
    upper = shapes.fill_triangular(unknown(np.int32([[1, 2, 3, 4, 5, 6]]), [None, None]), upper=True)
    assert session.run(upper).tolist() == [[[1, 2, 3], [0, 5, 6], [0, 0, 4]]]
    assert session.run(shapes.fill_triangular_inverse(lower)).tolist() == [1, 2, 3, 4, 5, 6]
    assert session.run(shapes.fill_triangular_inverse(upper, upper=True)).tolist() == [[1, 2, 3, 4, 5, 6]]
    with pytest.raises(ValueError, match="triangular matrix"):
        shapes.fill_triangular([1.0, 2.0])
    assert session.run(shapes.tridiag([4.0], [1.0, 2.0], [6.0])).tolist() == [[1, 6], [4, 2]]


def test_sums_of_weighted_logarithms(session):
    logx, w = np.float32([[-1, 0, 2], [3, -np.inf, 1]]), np.float32([[1, -1, 0.5], [-2, 0, -1]])
    for axis in (None, 0, 1):
        wanted = np.sum(w * np.exp(logx), axis=axis)
        total, sign = session.run(shapes.reduce_weighted_logsumexp(logx, w, axis=axis, return_sign=True))
        np.testing.assert_allclose(total, np.log(np.abs(wanted)), rtol=1e-4)
        np.testing.assert_array_equal(sign, np.sign(wanted))


def test_inverses_of_functions(session):
    x = np.float64([1e-7, 0.1, 5, 50, 1000])
    np.testing.assert_allclose(session.run(tf.nn.softplus(shapes.softplus_inverse(x))), x, rtol=1e-12)
    y = np.float32([-0.9, 0, 0.5])
    np.testing.assert_allclose(session.run(tf.erf(shapes.erfinv(y))), y, rtol=1e-5)
    with pytest.raises(TypeError, match="not handled"):
        shapes.erfinv([1])


def test_casts_that_lose_nothing(session):
    cast = shapes.embed_check_integer_casting_closed
    assert session.run(cast(np.int32([1, 2]), target_dtype=tf.int8)).tolist() == [1, 2]
    for x, dtype, message in (([-1], tf.int16, "non-negative"), ([300], tf.int8, "cannot exceed 127"),
                              ([1.5], tf.int32, "int32-equivalent")):
        with pytest.raises(tf.errors.InvalidArgumentError, match=message):
            session.run(cast(unknown(x), target_dtype=dtype))
    with pytest.raises(TypeError, match="integer-type"):
        cast([1.0], target_dtype=tf.float16)


def test_arguments_of_the_caller():
    def call(a, b=2, *rest, **more):
        local = a  # noqa: F841
        return shapes.parent_frame_arguments()

    assert call(1, 3, 4, z=7) == {"a": 1, "b": 3, "z": 7}


def test_notes_in_docstrings():
    @shapes.AppendDocstring("A note.", kwargs_dict={"a": "about a"})
    def function():
        """Does it."""
        return 5

    assert (function(), function.__name__) == (5, "function")
    assert function.__doc__.startswith("Does it.") and "about a" in function.__doc__ and "A note." in function.__doc__


@pytest.mark.parametrize(
    ("kind", "given", "mean"),
    [
        (softplus.BetaWithSoftplusConcentration, (2.0, 3.0), 0.4109597),
        (softplus.GammaWithSoftplusConcentrationRate, (2.0, 3.0), 0.6976766),
        (softplus.NormalWithSoftplusScale, (2.0, -3.0), 2.0),
        (softplus.LaplaceWithSoftplusScale, (2.0, -3.0), 2.0),
        (softplus.StudentTWithAbsDfSoftplusScale, (-2.5, 3.0, -1.5), 3.0),
        (softplus.ExponentialWithSoftplusRate, (2.0,), 0.47016165),
    ],
)
def test_parameters_of_which_the_softplus_counts(session, kind, given, mean):
    distribution = kind(*given, validate_args=True)
    assert session.run(distribution.mean()) == pytest.approx(mean, rel=1e-5)
    assert (distribution.name, distribution.copy(name="x").name) == (f"{kind.__name__}/", "x/")
    assert [value for name, value in distribution.parameters.items() if name.startswith(("conc", "rate", "scale"))][
        -1] == given[-1]


def test_functions_of_pairs_of_classes():
    normal = tf.distributions.Normal
    assert {(normal, normal), (tf.distributions.Bernoulli,) * 2} <= set(pieces._DIVERGENCES)
    assert all(pieces._registered_kl(*kinds) is made for kinds, made in pieces._DIVERGENCES.items())


def test_transformed_distribution(session):
    distribution = TransformedDistribution(tf.distributions.Normal([1.0, 3.0], 2.0), Exponential())
    x = distribution.sample(5, seed=1)
    assert distribution.bijector.inverse(x).op.type == "Reshape"
    assert (distribution.name, x.shape.as_list(), distribution.batch_shape.as_list()) == ("expNormal/", [5, 2], [2])
    values = [0.5, 2.0]
    wanted = tf.distributions.Normal([1.0, 3.0], 2.0).log_prob(np.log(values)) - np.log(values)
    np.testing.assert_allclose(*session.run([distribution.log_prob(values), wanted]), rtol=1e-6)
    np.testing.assert_allclose(session.run(distribution.prob(values)), np.exp(session.run(wanted)), rtol=1e-5)
    np.testing.assert_allclose(session.run(distribution.cdf(distribution.quantile(0.3))), [0.3, 0.3], rtol=1e-5)
    with pytest.raises(NotImplementedError, match="entropy is not implemented"):
        distribution.entropy()


@pytest.mark.parametrize("known", [True, False])
def test_transformed_distribution_of_other_shapes(session, known):
    def sizes(given):
        return given if known else unknown(np.array(given, np.int32), [None])

    base = tf.distributions.Normal(0.0, 1.0)
    both = TransformedDistribution(base, Exponential(), batch_shape=sizes([2]), event_shape=sizes([3]))
    assert session.run(both.sample([4])).shape == (4, 2, 3)
    y = np.full([4, 2, 3], 2.0, np.float32)
    wanted = 3 * (session.run(base.log_prob(np.log(2.0))) - np.log(2.0))
    np.testing.assert_allclose(session.run(both.log_prob(y)), np.full([4, 2], wanted), rtol=1e-5)
    with pytest.raises(NotImplementedError, match="cdf is not implemented when overriding event_shape"):
        both.cdf(y)
    event = TransformedDistribution(tf.distributions.Normal([0.0, 5.0], 1.0), event_shape=sizes([3]))
    drawn = session.run(event.sample(7, seed=1))
    assert drawn.shape == (7, 2, 3) and (drawn[:, 1] > drawn[:, 0]).all()
    assert session.run(event.log_prob(drawn)).shape == (7, 2)
    for wrong, text in (([3], "base distribution not scalar"), ([-1], "must have positive elements")):
        with pytest.raises(ValueError, match=text):
            TransformedDistribution(tf.distributions.Normal([0.0, 5.0], 1.0), batch_shape=wrong)
