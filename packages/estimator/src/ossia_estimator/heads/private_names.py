"""Heads, under the names that programs import."""

from ossia_estimator.heads import binary, checks, classes, head, multi_class, regression
from ossia_estimator.heads.keys import SERVING_CLASSIFY, SERVING_PREDICT, SERVING_REGRESS, named

LossSpec = head.LossSpec
_Head = head.Head
_multi_class_head_with_softmax_cross_entropy_loss = multi_class.multi_class_head
_MultiClassHeadWithSoftmaxCrossEntropyLoss = multi_class.MultiClassHead
_binary_logistic_head_with_sigmoid_cross_entropy_loss = binary.binary_head
_BinaryLogisticHeadWithSigmoidCrossEntropyLoss = binary.BinaryHead
_regression_head = regression.regression_head
_RegressionHeadWithMeanSquaredErrorLoss = regression.RegressionHead
_check_logits_final_dim = checks.checked_logits
_check_dense_labels_match_logits_and_reshape = checks.checked_labels
_get_weights_and_check_match_logits = checks.checked_weights
_call_loss_fn = checks.called_loss
_validate_loss_fn_args = checks.check_loss_fn
_assert_range = checks.checked_range
_all_class_ids = classes.all_class_ids
_all_classes = classes.all_classes
_classification_output = classes.classification_output
_summary_key = named
_DEFAULT_SERVING_KEY = "serving_default"
_CLASSIFY_SERVING_KEY = SERVING_CLASSIFY
_REGRESS_SERVING_KEY = SERVING_REGRESS
_PREDICT_SERVING_KEY = SERVING_PREDICT
