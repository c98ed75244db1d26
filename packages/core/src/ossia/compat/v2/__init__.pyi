"""Written by `python -m ossia_core.api_stubs packages`; do not edit."""

from . import (
 audio as audio, data as data, debugging as debugging, estimator as estimator, io as io, linalg as linalg,
 lookup as lookup, math as math, nest as nest, nn as nn, ragged as ragged, random as random, signal as signal,
 sparse as sparse, strings as strings, train as train
)
from ossia_core.functions.optional_values import OptionalSpec as OptionalSpec
from ossia_core.tensor_proto import make_ndarray as make_ndarray, make_tensor_proto as make_tensor_proto
from ossia_core.variables.creation import variable_creator_scope as variable_creator_scope
from ossia_core.variables.options import (
 VariableAggregationV2 as _VariableAggregation, VariableSynchronization as VariableSynchronization
)
from ossia_core.variables.variable import Variable as Variable
from ossia_debugging.comparisons import (
 assert_equal_v2 as _assert_equal, assert_greater_v2 as _assert_greater, assert_less_v2 as _assert_less
)
from ossia_debugging.ranks import assert_rank_v2 as _assert_rank
from ossia_ops.clock import timestamp as timestamp
from ossia_ops.eye import eye as eye
from ossia_ops.string_numbers import as_string as as_string
from ossia_ragged.spec import RaggedTensorSpec as RaggedTensorSpec
from ossia_ragged.tensor import RaggedTensor as RaggedTensor
VariableAggregation = _VariableAggregation
assert_equal = _assert_equal
assert_greater = _assert_greater
assert_less = _assert_less
assert_rank = _assert_rank
