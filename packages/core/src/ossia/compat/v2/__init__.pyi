"""Written by `python -m ossia_core.api_stubs packages`; do not edit."""

from ossia_core.functions.optional_values import OptionalSpec as OptionalSpec
from ossia_ops.ragged.tensor import RaggedTensor as RaggedTensor
from ossia_ops.ragged.spec import RaggedTensorSpec as RaggedTensorSpec
from ossia_core.variables.variable import Variable as Variable
from ossia_core.variables.options import VariableAggregationV2 as _VariableAggregation
VariableAggregation = _VariableAggregation
from ossia_core.variables.options import VariableSynchronization as VariableSynchronization
from ossia_ops.string_numbers import as_string as as_string
from ossia_debugging.comparisons import assert_equal_v2 as _assert_equal
assert_equal = _assert_equal
from ossia_debugging.comparisons import assert_greater_v2 as _assert_greater
assert_greater = _assert_greater
from ossia_debugging.comparisons import assert_less_v2 as _assert_less
assert_less = _assert_less
from ossia_debugging.ranks import assert_rank_v2 as _assert_rank
assert_rank = _assert_rank
from . import audio as audio
from . import data as data
from . import debugging as debugging
from . import estimator as estimator
from ossia_ops.eye import eye as eye
from . import io as io
from . import linalg as linalg
from . import lookup as lookup
from ossia_core.tensor_proto import make_ndarray as make_ndarray
from ossia_core.tensor_proto import make_tensor_proto as make_tensor_proto
from . import math as math
from . import nest as nest
from . import nn as nn
from . import ragged as ragged
from . import random as random
from . import signal as signal
from . import sparse as sparse
from . import strings as strings
from ossia_ops.clock import timestamp as timestamp
from . import train as train
from ossia_core.variables.creation import variable_creator_scope as variable_creator_scope
