# Written by tools/api_stubs.py; do not edit.
from ossia.initializers import (
 constant as constant, glorot_normal as glorot_normal, glorot_uniform as glorot_uniform, he_normal as he_normal,
 he_uniform as he_uniform, identity as identity, lecun_normal as lecun_normal, lecun_uniform as lecun_uniform,
 ones as ones, orthogonal as orthogonal, zeros as zeros
)
from ossia_nn.initializers import (
 Constant as Constant, Identity as Identity, Initializer as Initializer, Ones as Ones, Orthogonal as Orthogonal,
 VarianceScaling as VarianceScaling, Zeros as Zeros
)
from ossia_nn.keras_initializers import (
 RandomNormal as RandomNormal, RandomUniform as RandomUniform, TruncatedNormal as TruncatedNormal,
 deserialize as deserialize, get as get, RandomNormal as _normal, RandomNormal as _random_normal,
 RandomUniform as _random_uniform, serialize as serialize, TruncatedNormal as _truncated_normal,
 RandomUniform as _uniform
)
normal = _normal
random_normal = _random_normal
random_uniform = _random_uniform
truncated_normal = _truncated_normal
uniform = _uniform
