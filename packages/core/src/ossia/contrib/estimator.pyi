# Written by tools/api_stubs.py; do not edit.
from ossia_contrib.older_names import (
 InMemoryEvaluatorHook as InMemoryEvaluatorHook, add_metrics as add_metrics,
 make_early_stopping_hook as make_early_stopping_hook, stop_if_higher_hook as stop_if_higher_hook,
 stop_if_lower_hook as stop_if_lower_hook, stop_if_no_decrease_hook as stop_if_no_decrease_hook,
 stop_if_no_increase_hook as stop_if_no_increase_hook
)
