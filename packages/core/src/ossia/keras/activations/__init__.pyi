"""Written by `python -m ossia_core.api_stubs packages`; do not edit."""

from ossia_nn.activations import deserialize as deserialize
from ossia_nn.activations import elu as elu
from ossia_nn.activations import exponential as exponential
from ossia_nn.activations import get as get
from ossia_nn.activations import hard_sigmoid as hard_sigmoid
from ossia_nn.activations import linear as linear
from ossia_nn.activations import relu as relu
from ossia_nn.activations import selu as selu
from ossia_nn.activations import serialize as serialize
from ossia_nn.activations import sigmoid as sigmoid
from ossia_nn.activations import softmax as softmax
from ossia_nn.activations import softplus as softplus
from ossia_nn.activations import softsign as softsign
from ossia_nn.activations import tanh as tanh
