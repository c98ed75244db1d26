"""Public names and ops of ossia_optimizers. Written by `python -m ossia_core.api_table packages/optimizers`; do not edit."""

from ossia_core.api_table import read

API, OPS = read("ossia_optimizers", """
.adadelta: train.AdadeltaOptimizer +ApplyAdadelta +ResourceApplyAdadelta +ResourceSparseApplyAdadelta
 +SparseApplyAdadelta
.adagrad: train.AdagradOptimizer +ApplyAdagrad +ApplyAdagradV2 +ResourceApplyAdagrad +ResourceApplyAdagradV2
 +ResourceSparseApplyAdagrad +ResourceSparseApplyAdagradV2 +SparseApplyAdagrad +SparseApplyAdagradV2
.adagrad_da: train.AdagradDAOptimizer +ApplyAdagradDA +ResourceApplyAdagradDA +ResourceSparseApplyAdagradDA
 +SparseApplyAdagradDA
.adam: train.AdamOptimizer +ApplyAdaMax +ApplyAdam +ResourceApplyAdaMax +ResourceApplyAdam +ResourceApplyAdamWithAmsgrad
.base: train.Optimizer
.ftrl: train.FtrlOptimizer +ApplyFtrl +ApplyFtrlV2 +ResourceApplyFtrl +ResourceApplyFtrlV2 +ResourceSparseApplyFtrl
 +ResourceSparseApplyFtrlV2 +SparseApplyFtrl +SparseApplyFtrlV2
.loss_scale: compat.v2.train.experimental.DynamicLossScale compat.v2.train.experimental.FixedLossScale
 compat.v2.train.experimental.LossScale train.experimental.DynamicLossScale train.experimental.FixedLossScale
 train.experimental.LossScale
.mixed_precision: train.experimental.MixedPrecisionLossScaleOptimizer
 train.experimental.disable_mixed_precision_graph_rewrite train.experimental.enable_mixed_precision_graph_rewrite
.momentum: train.MomentumOptimizer +ApplyMomentum +ResourceApplyKerasMomentum +ResourceApplyMomentum
 +ResourceSparseApplyKerasMomentum +ResourceSparseApplyMomentum +SparseApplyMomentum
.moving_average: compat.v2.train.ExponentialMovingAverage train.ExponentialMovingAverage
.proximal_adagrad: train.ProximalAdagradOptimizer +ApplyProximalAdagrad +ResourceApplyProximalAdagrad
 +ResourceSparseApplyProximalAdagrad +SparseApplyProximalAdagrad
.proximal_sgd: train.ProximalGradientDescentOptimizer +ApplyProximalGradientDescent
 +ResourceApplyProximalGradientDescent +ResourceSparseApplyProximalGradientDescent +SparseApplyProximalGradientDescent
.rmsprop: train.RMSPropOptimizer +ApplyCenteredRMSProp +ApplyRMSProp +ResourceApplyCenteredRMSProp +ResourceApplyRMSProp
 +ResourceSparseApplyCenteredRMSProp +ResourceSparseApplyRMSProp +SparseApplyCenteredRMSProp +SparseApplyRMSProp
.sdca: train.sdca_fprint train.sdca_optimizer train.sdca_shrink_l1 +SdcaFprint +SdcaOptimizer +SdcaOptimizerV2
 +SdcaShrinkL1
.sgd: train.GradientDescentOptimizer +ApplyGradientDescent +ResourceApplyGradientDescent
.sign: +ApplyAddSign +ApplyPowerSign +ResourceApplyAddSign +ResourceApplyPowerSign
""")
