# Written by tools/api_stubs.py; do not edit.
from ossia_nn.constraints import (
 Constraint as Constraint, MaxNorm as MaxNorm, MinMaxNorm as MinMaxNorm, NonNeg as NonNeg,
 RadialConstraint as RadialConstraint, UnitNorm as UnitNorm, deserialize as deserialize, get as get,
 MaxNorm as _max_norm, MinMaxNorm as _min_max_norm, NonNeg as _non_neg, RadialConstraint as _radial_constraint,
 serialize as serialize, UnitNorm as _unit_norm
)
max_norm = _max_norm
min_max_norm = _min_max_norm
non_neg = _non_neg
radial_constraint = _radial_constraint
unit_norm = _unit_norm
