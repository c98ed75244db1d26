"""Kernels of convolutions that keep norms, of every size; initializers of the second version."""
import numpy as np
from golden_case import Case, raises, says


def _initializers():
    try:
        from ossia_nn import convolution_orthogonal as found
    except ImportError:
        from tensorflow.python.ops import init_ops as found
    return found


SHAPES = {1: [[1, 3, 4], [2, 2, 2], [4, 2, 3]], 2: [[1, 1, 2, 4], [2, 2, 2, 2], [3, 3, 2, 3]], 3: [[1, 1, 1, 2, 2], [2, 2, 2, 2, 3], [3, 3, 3, 1, 2]]}

for _dimensions, _shapes in SHAPES.items():
    for _number, _shape in enumerate(_shapes):
        def _case(tf, dimensions=_dimensions, shape=_shape):
            made = getattr(_initializers(), "ConvolutionOrthogonal%dD" % dimensions)(gain=2.0, seed=3)
            return {"kernel": made(shape), "seed": made.seed, "config": sorted(made.get_config().items())}
        globals()["case_kernels_%d_%d" % (_dimensions, _number)] = _case

        def _case(tf, shape=_shape):
            made = _initializers().ConvolutionDeltaOrthogonal(gain=2.0, seed=3)
            return [made(shape), made(shape, dtype=tf.float64)]
        globals()["case_delta_%d_%d" % (_dimensions, _number)] = _case


def case_other_kinds(tf):
    kind = _initializers().ConvolutionOrthogonal2D
    return [kind(seed=1, dtype=tf.float64)([2, 2, 3, 3]), kind()([2, 2, 2, 2])]


def case_in_variables(tf):
    kind = _initializers().ConvolutionOrthogonal2D
    return Case(tf.get_variable("kernel", [3, 3, 2, 4], initializer=kind(seed=5)), init=True)


def case_refused(tf):
    found = _initializers()
    refused = "In_filters cannot be greater than out_filters."
    return [
        says("three-dimensional", found.ConvolutionOrthogonal1D(), [2, 2]),
        says("four-dimensional", found.ConvolutionOrthogonal2D(), [2, 2]),
        says("five-dimensional", found.ConvolutionOrthogonal3D(), [2, 2]),
        says("Kernel sizes must be equal", found.ConvolutionOrthogonal2D(), [2, 3, 1, 1]),
        says(refused, found.ConvolutionOrthogonal2D(), [2, 2, 3, 1]),
        says(refused, found.ConvolutionDeltaOrthogonal(), [2, 2, 3, 1]),
        says("at least three-dimensional and at most five", found.ConvolutionDeltaOrthogonal(), [2, 2]),
        raises(found.ConvolutionOrthogonal2D, dtype=tf.int32),
        raises(found.ConvolutionOrthogonal2D(), [2, 2, 1, 1], dtype=tf.float64),
    ]


SECOND = {"Zeros": {}, "Ones": {}, "Constant": {"value": 3}, "RandomUniform": {"minval": 1, "maxval": 5}, "RandomNormal": {"stddev": 2.0}, "TruncatedNormal": {"stddev": 2.0}, "VarianceScaling": {"scale": 2.0, "distribution": "normal"}, "GlorotUniform": {}, "GlorotNormal": {}, "Orthogonal": {"gain": 2.0}, "Identity": {"gain": 2.0}, "he_normal": {}, "he_uniform": {}, "lecun_normal": {}, "lecun_uniform": {}}
SEEDLESS = ("Zeros", "Ones", "Constant", "Identity")

for _name, _arguments in SECOND.items():
    def _case(tf, name=_name, arguments=_arguments):
        kind = getattr(tf.compat.v2.initializers, name)
        found = []
        for seed in ({},) if name in SEEDLESS else ({}, {"seed": 7}, {"seed": 0}):
            made = kind(**arguments, **seed)
            found += [made([3, 2]), sorted(made.get_config().items()), sorted(type(made).from_config(dict(made.get_config(), dtype="x")).get_config().items())]
            for dtype in (tf.float64, tf.int32, tf.bool, tf.string):
                try:
                    found.append(made([2, 3], dtype=dtype))
                except Exception as error:
                    found.append(type(error).__name__)
        return found
    globals()["case_second_%s" % _name] = _case


def case_second_constants(tf):
    kind = tf.compat.v2.initializers.Constant
    return [
        kind([1, 2, 3, 4, 5, 6])([2, 3]),
        kind([7])([2, 2], dtype=tf.float32),
        kind(np.arange(4.0).reshape(2, 2))([4]),
        says(r"Expected Tensor's shape: \(2, 3\), got \(5,\)", kind([1, 2, 3, 4, 5]), [2, 3]),
        raises(kind, tf.constant(1)),
        raises(kind, {}),
    ]

