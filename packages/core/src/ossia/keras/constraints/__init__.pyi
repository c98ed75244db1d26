"""Written by `python -m ossia_core.api_stubs packages`; do not edit."""

from ossia_nn.constraints import Constraint as Constraint
from ossia_nn.constraints import MaxNorm as MaxNorm
from ossia_nn.constraints import MinMaxNorm as MinMaxNorm
from ossia_nn.constraints import NonNeg as NonNeg
from ossia_nn.constraints import RadialConstraint as RadialConstraint
from ossia_nn.constraints import UnitNorm as UnitNorm
from ossia_nn.constraints import deserialize as deserialize
from ossia_nn.constraints import get as get
from ossia_nn.constraints import MaxNorm as _max_norm
max_norm = _max_norm
from ossia_nn.constraints import MinMaxNorm as _min_max_norm
min_max_norm = _min_max_norm
from ossia_nn.constraints import NonNeg as _non_neg
non_neg = _non_neg
from ossia_nn.constraints import RadialConstraint as _radial_constraint
radial_constraint = _radial_constraint
from ossia_nn.constraints import serialize as serialize
from ossia_nn.constraints import UnitNorm as _unit_norm
unit_norm = _unit_norm
