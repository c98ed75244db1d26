# Written by tools/api_stubs.py; do not edit.
from ossia_contrib.absent import (
 AGNCustomGetter as AGNCustomGetter, AGNOptimizer as AGNOptimizer,
 ElasticAverageCustomGetter as ElasticAverageCustomGetter, ElasticAverageOptimizer as ElasticAverageOptimizer,
 ModelAverageCustomGetter as ModelAverageCustomGetter, ModelAverageOptimizer as ModelAverageOptimizer
)
from ossia_contrib.opt.adam import LazyAdamOptimizer as LazyAdamOptimizer, NadamOptimizer as NadamOptimizer
from ossia_contrib.opt.adam_steps import AdamGSOptimizer as AdamGSOptimizer, LazyAdamGSOptimizer as LazyAdamGSOptimizer
from ossia_contrib.opt.adamax import AdaMaxOptimizer as AdaMaxOptimizer
from ossia_contrib.opt.clipping import VariableClippingOptimizer as VariableClippingOptimizer
from ossia_contrib.opt.external import (
 ExternalOptimizerInterface as ExternalOptimizerInterface, ScipyOptimizerInterface as ScipyOptimizerInterface
)
from ossia_contrib.opt.ggt import GGTOptimizer as GGTOptimizer
from ossia_contrib.opt.lars import LARSOptimizer as LARSOptimizer
from ossia_contrib.opt.moving_average import MovingAverageOptimizer as MovingAverageOptimizer
from ossia_contrib.opt.multitask import (
 MultitaskOptimizerWrapper as MultitaskOptimizerWrapper, clip_gradients_by_global_norm as clip_gradients_by_global_norm
)
from ossia_contrib.opt.reg_adagrad import RegAdagradOptimizer as RegAdagradOptimizer
from ossia_contrib.opt.shampoo import ShampooOptimizer as ShampooOptimizer
from ossia_contrib.opt.sign import AddSignOptimizer as AddSignOptimizer, PowerSignOptimizer as PowerSignOptimizer
from ossia_contrib.opt.stale import DropStaleGradientOptimizer as DropStaleGradientOptimizer
from ossia_contrib.opt.weight_decay import (
 AdamWOptimizer as AdamWOptimizer, DecoupledWeightDecayExtension as DecoupledWeightDecayExtension,
 MomentumWOptimizer as MomentumWOptimizer, extend_with_decoupled_weight_decay as extend_with_decoupled_weight_decay
)
