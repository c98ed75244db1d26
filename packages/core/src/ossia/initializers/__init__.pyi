"""Written by `python -m ossia_core.api_stubs packages`; do not edit."""

from ossia_nn.initializers import Constant as _constant
constant = _constant
from ossia_core.variables.listing import global_variables_initializer as _global_variables
global_variables = _global_variables
from ossia_nn.initializers import GlorotNormal as _glorot_normal
glorot_normal = _glorot_normal
from ossia_nn.initializers import GlorotUniform as _glorot_uniform
glorot_uniform = _glorot_uniform
from ossia_nn.initializers import he_normal as he_normal
from ossia_nn.initializers import he_uniform as he_uniform
from ossia_nn.initializers import Identity as _identity
identity = _identity
from ossia_nn.initializers import lecun_normal as lecun_normal
from ossia_nn.initializers import lecun_uniform as lecun_uniform
from ossia_core.variables.listing import local_variables_initializer as _local_variables
local_variables = _local_variables
from ossia_nn.initializers import Ones as _ones
ones = _ones
from ossia_nn.initializers import Orthogonal as _orthogonal
orthogonal = _orthogonal
from ossia_nn.initializers import RandomNormal as _random_normal
random_normal = _random_normal
from ossia_nn.initializers import RandomUniform as _random_uniform
random_uniform = _random_uniform
from ossia_ops.lookup import tables_initializer as tables_initializer
from ossia_nn.initializers import TruncatedNormal as _truncated_normal
truncated_normal = _truncated_normal
from ossia_nn.initializers import UniformUnitScaling as _uniform_unit_scaling
uniform_unit_scaling = _uniform_unit_scaling
from ossia_core.variables.listing import variables_initializer as _variables
variables = _variables
from ossia_nn.initializers import VarianceScaling as _variance_scaling
variance_scaling = _variance_scaling
from ossia_nn.initializers import Zeros as _zeros
zeros = _zeros
