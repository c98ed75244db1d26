"""Model functions and optimizers of canned estimators, under the names that programs import."""

from ossia_estimator.canned import combined_model, dnn_model, linear_model, optimizers

_dnn_model_fn = dnn_model.dnn_model_fn
_linear_model_fn = linear_model.linear_model_fn
_dnn_linear_combined_model_fn = combined_model.combined_model_fn
get_optimizer_instance = optimizers.optimizer_of
