# Written by tools/api_stubs.py; do not edit.
from . import (
 audio as audio, data as data, debugging as debugging, distribute as distribute, estimator as estimator,
 feature_column as feature_column, image as image, initializers as initializers, io as io, keras as keras,
 linalg as linalg, lite as lite, lookup as lookup, math as math, nest as nest, nn as nn, ragged as ragged,
 random as random, saved_model as saved_model, signal as signal, sparse as sparse, strings as strings,
 summary as summary, train as train
)
from ossia import (
 OptionalSpec as OptionalSpec, RaggedTensor as RaggedTensor, RaggedTensorSpec as RaggedTensorSpec,
 VariableSynchronization as VariableSynchronization, make_ndarray as make_ndarray,
 make_tensor_proto as make_tensor_proto, timestamp as timestamp, variable_creator_scope as variable_creator_scope
)
from ossia.dtypes import as_string as as_string
from ossia.linalg import eye as eye
from ossia_core.variables.options import VariableAggregationV2 as _VariableAggregation
from ossia_core.variables.variable import Variable as Variable
from ossia_debugging.comparisons import (
 assert_equal_v2 as _assert_equal, assert_greater_v2 as _assert_greater, assert_less_v2 as _assert_less
)
from ossia_debugging.ranks import assert_rank_v2 as _assert_rank
from ossia_nn.initializers_v2 import (
 Constant as _constant_initializer, Ones as _ones_initializer, RandomNormal as _random_normal_initializer,
 RandomUniform as _random_uniform_initializer, Zeros as _zeros_initializer
)
from ossia_ops.array.selection import where_v2 as _where
VariableAggregation = _VariableAggregation
assert_equal = _assert_equal
assert_greater = _assert_greater
assert_less = _assert_less
assert_rank = _assert_rank
constant_initializer = _constant_initializer
ones_initializer = _ones_initializer
random_normal_initializer = _random_normal_initializer
random_uniform_initializer = _random_uniform_initializer
where = _where
zeros_initializer = _zeros_initializer
