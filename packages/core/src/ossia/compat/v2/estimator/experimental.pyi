# Written by tools/api_stubs.py; do not edit.
from ossia.contrib.estimator import (
 InMemoryEvaluatorHook as InMemoryEvaluatorHook,
 build_raw_supervised_input_receiver_fn as build_raw_supervised_input_receiver_fn, call_logit_fn as call_logit_fn,
 make_early_stopping_hook as make_early_stopping_hook, stop_if_higher_hook as stop_if_higher_hook,
 stop_if_lower_hook as stop_if_lower_hook, stop_if_no_decrease_hook as stop_if_no_decrease_hook,
 stop_if_no_increase_hook as stop_if_no_increase_hook
)
from ossia.estimator.experimental import make_stop_at_checkpoint_step_hook as make_stop_at_checkpoint_step_hook
