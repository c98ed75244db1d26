# Written by tools/api_stubs.py; do not edit.
from ossia.contrib.estimator import (
 InMemoryEvaluatorHook as InMemoryEvaluatorHook,
 build_raw_supervised_input_receiver_fn as build_raw_supervised_input_receiver_fn, call_logit_fn as call_logit_fn,
 dnn_logit_fn_builder as dnn_logit_fn_builder, linear_logit_fn_builder as linear_logit_fn_builder,
 make_early_stopping_hook as make_early_stopping_hook, stop_if_higher_hook as stop_if_higher_hook,
 stop_if_lower_hook as stop_if_lower_hook, stop_if_no_decrease_hook as stop_if_no_decrease_hook,
 stop_if_no_increase_hook as stop_if_no_increase_hook
)
from ossia_estimator.boosted_trees.estimators import BoostedTreesEstimator as BoostedTreesEstimator
