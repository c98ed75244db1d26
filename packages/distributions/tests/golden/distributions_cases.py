"""Distributions: every method of every kind, parameters of all sorts, checks, and kinds that programs derive."""
import numpy as np
from golden_case import Case, raises

KINDS = {
    "normal": lambda d, **more: d.Normal([1.0, 2.0], [3.0, 4.0], **more), "bernoulli": lambda d, **more: d.Bernoulli(logits=[0.3, -1.0], **more),
    "bernoulli_probs": lambda d, **more: d.Bernoulli(probs=[0.3, 0.6], **more), "beta": lambda d, **more: d.Beta([2.0, 3.0], [1.5, 4.0], **more),
    "categorical": lambda d, **more: d.Categorical(logits=[[0.1, 0.2, 0.3], [1.0, 2.0, 0.0]], **more), "categorical_probs": lambda d, **more: d.Categorical(probs=[0.1, 0.2, 0.7], **more),
    "dirichlet": lambda d, **more: d.Dirichlet([1.5, 2.0, 3.0], **more), "dirichlet_multinomial": lambda d, **more: d.DirichletMultinomial(5.0, [[1.0, 2.0, 3.0], [2.0, 2.0, 2.0]], **more),
    "exponential": lambda d, **more: d.Exponential([1.0, 2.0], **more), "gamma": lambda d, **more: d.Gamma([2.0, 3.0], [1.0, 4.0], **more),
    "laplace": lambda d, **more: d.Laplace([1.0, 2.0], [3.0, 4.0], **more), "multinomial": lambda d, **more: d.Multinomial(5.0, logits=[0.1, 0.2, 0.3], **more),
    "multinomial_probs": lambda d, **more: d.Multinomial([4.0, 3.0], probs=[[0.1, 0.2, 0.7], [0.3, 0.3, 0.4]], **more), "student_t": lambda d, **more: d.StudentT([3.0, 5.0], [1.0, 2.0], [3.0, 4.0], **more),
    "uniform": lambda d, **more: d.Uniform([1.0, 2.0], [3.0, 4.0], **more),
}
VALUES = {"bernoulli": [0, 1], "bernoulli_probs": [0, 1], "beta": [0.2, 0.7], "categorical": [0, 2], "categorical_probs": 1, "dirichlet": [0.2, 0.3, 0.5], "dirichlet_multinomial": [[1.0, 2.0, 2.0], [0.0, 4.0, 1.0]],
          "multinomial": [1.0, 2.0, 2.0], "multinomial_probs": [[1.0, 2.0, 1.0], [0.0, 3.0, 0.0]], "exponential": [0.5, 1.0], "gamma": [0.5, 1.0]}
STATISTICS = ("mean", "mode", "variance", "stddev", "entropy", "covariance", "batch_shape_tensor", "event_shape_tensor", "is_scalar_batch", "is_scalar_event")
DENSITIES = ("prob", "log_prob", "cdf", "log_cdf", "survival_function", "log_survival_function", "quantile")


def _or_refused(tf, function, *args):
    try:
        return function(*args)
    except NotImplementedError as error:
        return tf.constant(str(error))


for _name, _make in KINDS.items():
    _value = VALUES.get(_name, [0.3, 2.5])

    def _case(tf, make=_make):
        x = make(tf.distributions)
        return {"repr": repr(x), "str": str(x), "parameters": sorted(x.parameters), **{what: _or_refused(tf, getattr(x, what)) for what in STATISTICS}}
    globals()["case_%s_statistics" % _name] = _case

    def _case(tf, make=_make, value=_value):
        x = make(tf.distributions)
        return {what: _or_refused(tf, getattr(x, what), value) for what in DENSITIES}
    globals()["case_%s_densities" % _name] = _case

    # Rows of a multinomial distribution are drawn in a loop, whose iterations the original runs in an order of its own.
    if _name != "multinomial_probs":
        def _case(tf, make=_make):
            tf.set_random_seed(7)
            x = make(tf.distributions)
            return [x.sample(), x.sample([2, 3], seed=3), x.sample(4, seed=5)]
        globals()["case_%s_samples" % _name] = _case

    def _case(tf, make=_make):
        x = make(tf.distributions)
        return [_or_refused(tf, x.kl_divergence, x), _or_refused(tf, x.cross_entropy, x), _or_refused(tf, make(tf.distributions, name="other").kl_divergence, x)]
    globals()["case_%s_divergence" % _name] = _case

    def _case(tf, make=_make, value=_value):
        return make(tf.distributions, validate_args=True).log_prob(value)
    globals()["case_%s_checked" % _name] = _case


def case_parameters_that_are_refused(tf):
    d = tf.distributions
    checked = {"validate_args": True}
    return {
        "both": raises(d.Categorical, [1.0, 2.0], [0.5, 0.5]), "neither": raises(d.Categorical), "integers": raises(d.Normal, 0, 1), "dtypes": raises(d.Normal, 0.0, tf.constant(1.0, tf.float64)),
        "uniform": raises(d.Uniform, 2.0, 1.0, **checked), "beta": raises(d.Beta, -1.0, 1.0, **checked), "dirichlet": raises(d.Dirichlet, [-1.0, 2.0], **checked), "bernoulli": raises(d.Bernoulli, None, [2.0], **checked),
        "one category": raises(d.Categorical, [1.0], **checked), "one of concentration": raises(d.DirichletMultinomial, 3.0, [1.0], **checked), "scalar of concentration": raises(d.DirichletMultinomial, 3.0, 1.0, **checked),
        "one component": raises(d.Dirichlet, [1.0], **checked), "scalar": raises(d.Dirichlet, 1.0, **checked), "logits of int": raises(d.Bernoulli, 1), "probs of int": raises(d.Bernoulli, None, 1), "shape": raises(d.Normal(0.0, 1.0).sample, [[2]]),
        "text": raises(d.Normal, "a", 1.0), "density of text": raises(d.Normal(0.0, 1.0).prob, "a"), "half": raises(d.Normal(np.float16(1), np.float16(1)).cdf, np.float16(1)), "parent": raises(d.Distribution, tf.float32, d.NOT_REPARAMETERIZED, False, True, None, [1]),
        "categories": raises(d.Categorical([1.0, 2.0]).kl_divergence, d.Categorical([0.1, 0.2, 0.3])), "kinds": raises(d.StudentT(2.0, 0.0, 1.0).kl_divergence, d.Normal(0.0, 1.0)), "no function": raises(d.RegisterKL(d.Normal, d.Laplace), 3),
        "mode": raises(d.Beta(0.5, 1.0, allow_nan_stats=False).mode), "mode of dirichlet": raises(d.Dirichlet([1.0, 2.0], allow_nan_stats=False).mode), "unknown": raises(d.Normal.param_static_shapes, tf.placeholder(tf.int32)),
    }


def _refused_runs():
    for name, (args, value) in {"normal": ((0.0, -1.0), [1.0]), "gamma": ((-1.0, 1.0), [-1.0]), "laplace": ((0.0, -1.0), [1.0]), "student_t": ((-1.0, 0.0, 1.0), [1.0]), "exponential": ((-1.0,), [-2.0])}.items():
        def case(tf, kind={"normal": "Normal", "gamma": "Gamma", "laplace": "Laplace", "student_t": "StudentT", "exponential": "Exponential"}[name], args=args, value=value):
            return getattr(tf.distributions, kind)(*args, validate_args=True).log_prob(value)
        yield name, case


for _name, _case in _refused_runs():
    globals()["case_%s_refused_in_a_run" % _name] = _case


def case_values_that_are_refused(tf):
    d = tf.distributions
    return {"fraction": raises(d.Bernoulli([1.0, 2.0], validate_args=True).log_prob, 1.5), "negative": raises(d.Categorical([1.0, 2.0], validate_args=True).log_prob, -1),
            "beta": raises(d.Beta(1.0, 2.0, validate_args=True).log_prob, 2.0), "dirichlet": raises(d.Dirichlet([1.0, 2.0], validate_args=True).log_prob, [-0.5, 1.5])}


def case_shapes_known_in_a_run(tf):
    d = tf.distributions
    any_, row, rows, count = tf.placeholder(tf.float32), tf.placeholder(tf.float32, [None]), tf.placeholder(tf.float32, [None, 3]), tf.placeholder(tf.int32)
    feed = {any_: [0.5, 0.25], row: [1.0, 2.0, 3.0], rows: [[1.0, 2.0, 3.0]] * 2, count: 2}
    normal = d.Normal(any_, 1.0)
    fetches = [normal.sample(count, seed=1), normal.is_scalar_batch(), normal.batch_shape_tensor(), d.Normal(row, 1.0).sample([2], seed=1), d.Categorical(any_).sample(2, seed=1), d.Categorical(rows).prob([1, 2]), d.Categorical(rows).entropy(),
               d.Bernoulli(any_).log_prob([0, 1]), d.Uniform(any_, 1.0).cdf([0.5, 0.6]), d.StudentT(any_, 1.0, 2.0).sample([2], seed=1), d.Dirichlet(any_).sample(2, seed=1), d.Dirichlet(any_).mode(), d.Beta(any_, [1.0]).batch_shape_tensor(),
               d.DirichletMultinomial(3.0, row, validate_args=True).mean(), d.Multinomial(3.0, rows).event_shape_tensor(), d.Multinomial(3.0, rows).batch_shape_tensor()]
    return Case(runs=[(fetches, feed), [str(normal), repr(normal), str(d.Categorical(rows))]])


def case_edges(tf):
    d, nan = tf.distributions, float("nan")
    x = tf.constant([-50.0, -11.0, -1.0, 0.0, 4.0, 6.0, 50.0])
    normal, wide = d.Normal(0.0, 1.0), d.Normal(np.float64(0.0), np.float64(1.0))
    return [normal.log_cdf(x), tf.gradients(normal.log_cdf(x), x), wide.log_cdf(np.array([-50.0, -21.0, -1.0, 0.0, 9.0])), wide.quantile(np.array([-1.0, 0.0, 1e-10, 0.1, 0.5, 0.9, 1.0])), normal.quantile([0.0, 1e-10, 0.1, 0.5, 0.99, 1.0]),
            d.StudentT([0.5, 1.0, 1.5, 2.0, 3.0], 0.0, 1.0).variance(), d.StudentT([0.5, 1.0, 1.5], 0.0, 1.0).mean(), d.Beta([0.5, 2.0], [2.0, 2.0]).mode(), d.Uniform(0.0, [1.0, 2.0]).prob([[0.5], [3.0], [nan]]),
            d.Categorical([[1.0, 2.0]] * 3).cdf([[0, 1, 1], [1, 0, 0]]), d.Categorical([1.0, 2.0], dtype=tf.float32).log_prob(1.0), d.Categorical(logits=tf.zeros([2, 3, 4])).sample([5, 2], seed=1)]


def case_gradients(tf):
    d = tf.distributions
    m = tf.constant([1.0, 2.0])
    return [tf.gradients(d.Normal(m, 1.0).sample(seed=1), m), tf.gradients(d.Gamma(m, 1.0).sample(seed=1), m), tf.gradients(d.Categorical(m).log_prob(1), m), tf.gradients(d.Categorical(m).entropy(), m),
            tf.gradients(d.Normal(m, m).kl_divergence(d.Normal(0.0, 1.0)), m), [g is None for g in tf.gradients(d.Categorical(m).sample(seed=1), m)]]


def case_names_and_copies(tf):
    d = tf.distributions
    with tf.name_scope("outer"):
        first = d.Normal(0.0, 1.0)
    second = first.copy(loc=2.0)
    rate = d.Exponential(2.0).copy(rate=3.0)
    with tf.name_scope("elsewhere"):
        mean = first.mean()
    return [first.name, second.name, second.mean(), mean, first.mean(), first.prob(2.0, name="density"), sorted(rate.parameters), rate.mean(), first.parameters["name"], str(first.reparameterization_type),
            str(d.Categorical([1.0, 2.0]).reparameterization_type), [str(v) for _, v in sorted(d.Normal.param_static_shapes([2, 3]).items())], d.Uniform(1.0, 3.0).range(name="span")]


def case_kinds_of_a_program(tf):
    d = tf.distributions

    class Ramp(d.Distribution):
        def __init__(self):
            super(Ramp, self).__init__(dtype=tf.float32, reparameterization_type=d.NOT_REPARAMETERIZED, validate_args=False, allow_nan_stats=True, parameters=dict(locals()))

        def _log_prob(self, x):
            return -x

        def _cdf(self, x):
            return x / 2.0

        def _batch_shape(self):
            return tf.TensorShape([])

        def _event_shape(self):
            return tf.TensorShape([])

        def _sample_n(self, n, seed=None):
            return tf.ones([n])

    class Close(d.Normal):
        pass

    @d.RegisterKL(Close, d.Normal)
    def _(a, b, name=None):
        return tf.constant(3.0)

    x, close, normal = Ramp(), Close(0.0, 1.0), d.Normal(0.0, 1.0)
    return [x.prob(1.0), x.log_survival_function(0.5), x.sample(3), str(x), sorted(x.parameters), raises(x.mean), close.kl_divergence(normal), normal.kl_divergence(close), close.kl_divergence(close)]


def case_variables(tf):
    mean, spread = tf.Variable(1.0), tf.Variable(2.0, use_resource=True)
    x = tf.distributions.Normal(mean, spread)
    slopes = tf.gradients(-tf.reduce_mean(x.log_prob([0.5, 1.5])), [mean, spread])
    steps = [mean.assign_sub(0.1 * slopes[0]), spread.assign_sub(0.1 * slopes[1])]
    return Case(runs=[x.log_prob(1.0), x.sample(seed=1), steps, x.entropy()])
