"""Written by `python -m ossia_core.api_stubs packages`; do not edit."""

from ossia_nn.regularizers import L1L2 as L1L2
from ossia_nn.regularizers import Regularizer as Regularizer
from ossia_nn.regularizers import deserialize as deserialize
from ossia_nn.regularizers import get as get
from ossia_nn.regularizers import l1 as l1
from ossia_nn.regularizers import l1_l2 as l1_l2
from ossia_nn.regularizers import l2 as l2
from ossia_nn.regularizers import serialize as serialize
