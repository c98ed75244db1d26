# Written by tools/api_stubs.py; do not edit.
from ossia_core.variables.listing import (
 global_variables_initializer as _global_variables, local_variables_initializer as _local_variables,
 tables_initializer as tables_initializer, variables_initializer as _variables
)
from ossia_nn.initializers import (
 Constant as _constant, GlorotNormal as _glorot_normal, GlorotUniform as _glorot_uniform, he_normal as he_normal,
 he_uniform as he_uniform, Identity as _identity, lecun_normal as lecun_normal, lecun_uniform as lecun_uniform,
 Ones as _ones, Orthogonal as _orthogonal, RandomNormal as _random_normal, RandomUniform as _random_uniform,
 TruncatedNormal as _truncated_normal, UniformUnitScaling as _uniform_unit_scaling,
 VarianceScaling as _variance_scaling, Zeros as _zeros
)
constant = _constant
global_variables = _global_variables
glorot_normal = _glorot_normal
glorot_uniform = _glorot_uniform
identity = _identity
local_variables = _local_variables
ones = _ones
orthogonal = _orthogonal
random_normal = _random_normal
random_uniform = _random_uniform
truncated_normal = _truncated_normal
uniform_unit_scaling = _uniform_unit_scaling
variables = _variables
variance_scaling = _variance_scaling
zeros = _zeros
