# Written by tools/api_stubs.py; do not edit.
from ossia_contrib.opt.adam import LazyAdamOptimizer as LazyAdamOptimizer, NadamOptimizer as NadamOptimizer
from ossia_contrib.opt.clipping import VariableClippingOptimizer as VariableClippingOptimizer
from ossia_contrib.opt.moving_average import MovingAverageOptimizer as MovingAverageOptimizer
from ossia_contrib.opt.sign import AddSignOptimizer as AddSignOptimizer, PowerSignOptimizer as PowerSignOptimizer
from ossia_contrib.opt.weight_decay import (
 AdamWOptimizer as AdamWOptimizer, DecoupledWeightDecayExtension as DecoupledWeightDecayExtension,
 MomentumWOptimizer as MomentumWOptimizer, extend_with_decoupled_weight_decay as extend_with_decoupled_weight_decay
)
