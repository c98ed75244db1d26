"""Written by `python -m ossia_core.api_stubs packages`; do not edit."""

from ossia_nn.initializers import Constant as Constant
from ossia_nn.initializers import Identity as Identity
from ossia_nn.initializers import Initializer as Initializer
from ossia_nn.initializers import Ones as Ones
from ossia_nn.initializers import Orthogonal as Orthogonal
from ossia_nn.keras_initializers import RandomNormal as RandomNormal
from ossia_nn.keras_initializers import RandomUniform as RandomUniform
from ossia_nn.keras_initializers import TruncatedNormal as TruncatedNormal
from ossia_nn.initializers import VarianceScaling as VarianceScaling
from ossia_nn.initializers import Zeros as Zeros
from ossia_nn.initializers import Constant as _constant
constant = _constant
from ossia_nn.keras_initializers import deserialize as deserialize
from ossia_nn.keras_initializers import get as get
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
from ossia_nn.keras_initializers import RandomNormal as _normal
normal = _normal
from ossia_nn.initializers import Ones as _ones
ones = _ones
from ossia_nn.initializers import Orthogonal as _orthogonal
orthogonal = _orthogonal
from ossia_nn.keras_initializers import RandomNormal as _random_normal
random_normal = _random_normal
from ossia_nn.keras_initializers import RandomUniform as _random_uniform
random_uniform = _random_uniform
from ossia_nn.keras_initializers import serialize as serialize
from ossia_nn.keras_initializers import TruncatedNormal as _truncated_normal
truncated_normal = _truncated_normal
from ossia_nn.keras_initializers import RandomUniform as _uniform
uniform = _uniform
from ossia_nn.initializers import Zeros as _zeros
zeros = _zeros
