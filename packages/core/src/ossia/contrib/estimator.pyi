# Written by tools/api_stubs.py; do not edit.
from ossia_estimator.canned.dnn_model import dnn_logit_fn_builder as dnn_logit_fn_builder
from ossia_estimator.canned.linear_model import linear_logit_fn_builder as linear_logit_fn_builder
from ossia_estimator.contrib_exports import (
 export_all_saved_models as export_all_saved_models, export_saved_model_for_mode as export_saved_model_for_mode
)
from ossia_estimator.early_stopping import (
 make_early_stopping_hook as make_early_stopping_hook, stop_if_higher_hook as stop_if_higher_hook,
 stop_if_lower_hook as stop_if_lower_hook, stop_if_no_decrease_hook as stop_if_no_decrease_hook,
 stop_if_no_increase_hook as stop_if_no_increase_hook
)
from ossia_estimator.evaluation import add_metrics as add_metrics
from ossia_estimator.extenders import (
 clip_gradients_by_norm as clip_gradients_by_norm, forward_features as forward_features
)
from ossia_estimator.heads.contrib_heads import (
 binary_classification_head as binary_classification_head, logistic_regression_head as logistic_regression_head,
 multi_class_head as multi_class_head, poisson_regression_head as poisson_regression_head,
 regression_head as regression_head
)
from ossia_estimator.heads.multi_head import multi_head as multi_head
from ossia_estimator.heads.multi_label import multi_label_head as multi_label_head
from ossia_estimator.in_memory import InMemoryEvaluatorHook as InMemoryEvaluatorHook
from ossia_estimator.model_fns import call_logit_fn as call_logit_fn
from ossia_estimator.receivers import build_raw_supervised_input_receiver_fn as build_raw_supervised_input_receiver_fn
