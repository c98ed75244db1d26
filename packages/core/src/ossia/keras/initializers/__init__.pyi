"""Written by `python -m ossia_core.api_stubs packages`; do not edit."""

from ossia_nn.initializers import (
 Constant as Constant, Identity as Identity, Initializer as Initializer, Ones as Ones, Orthogonal as Orthogonal,
 VarianceScaling as VarianceScaling, Zeros as Zeros, Constant as _constant, GlorotNormal as _glorot_normal,
 GlorotUniform as _glorot_uniform, he_normal as he_normal, he_uniform as he_uniform, Identity as _identity,
 lecun_normal as lecun_normal, lecun_uniform as lecun_uniform, Ones as _ones, Orthogonal as _orthogonal, Zeros as _zeros
)
from ossia_nn.keras_initializers import (
 RandomNormal as RandomNormal, RandomUniform as RandomUniform, TruncatedNormal as TruncatedNormal,
 deserialize as deserialize, get as get, RandomNormal as _normal, RandomNormal as _random_normal,
 RandomUniform as _random_uniform, serialize as serialize, TruncatedNormal as _truncated_normal,
 RandomUniform as _uniform
)
constant = _constant
glorot_normal = _glorot_normal
glorot_uniform = _glorot_uniform
identity = _identity
normal = _normal
ones = _ones
orthogonal = _orthogonal
random_normal = _random_normal
random_uniform = _random_uniform
truncated_normal = _truncated_normal
uniform = _uniform
zeros = _zeros
