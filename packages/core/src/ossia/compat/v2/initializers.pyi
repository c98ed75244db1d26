# Written by tools/api_stubs.py; do not edit.
from ossia_nn.initializers_v2 import (
 Constant as Constant, GlorotNormal as GlorotNormal, GlorotUniform as GlorotUniform, Identity as Identity,
 Initializer as Initializer, Ones as Ones, Orthogonal as Orthogonal, RandomNormal as RandomNormal,
 RandomUniform as RandomUniform, TruncatedNormal as TruncatedNormal, VarianceScaling as VarianceScaling, Zeros as Zeros,
 Constant as _constant, GlorotNormal as _glorot_normal, GlorotUniform as _glorot_uniform, he_normal as he_normal,
 he_uniform as he_uniform, Identity as _identity, lecun_normal as lecun_normal, lecun_uniform as lecun_uniform,
 Ones as _ones, Orthogonal as _orthogonal, Zeros as _zeros
)
constant = _constant
glorot_normal = _glorot_normal
glorot_uniform = _glorot_uniform
identity = _identity
ones = _ones
orthogonal = _orthogonal
zeros = _zeros
