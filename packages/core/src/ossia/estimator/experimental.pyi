# Written by ossia_core.plugins.api_stubs; do not edit.
from ossia_estimator.boosted_trees.estimators import BoostedTreesEstimator as BoostedTreesEstimator
from ossia_estimator.canned.dnn_model import dnn_logit_fn_builder as dnn_logit_fn_builder
from ossia_estimator.canned.linear_model import linear_logit_fn_builder as linear_logit_fn_builder
from ossia_estimator.early_stopping import (
 make_early_stopping_hook as make_early_stopping_hook, stop_if_higher_hook as stop_if_higher_hook,
 stop_if_lower_hook as stop_if_lower_hook, stop_if_no_decrease_hook as stop_if_no_decrease_hook,
 stop_if_no_increase_hook as stop_if_no_increase_hook
)
from ossia_estimator.in_memory import InMemoryEvaluatorHook as InMemoryEvaluatorHook
