# Written by tools/api_stubs.py; do not edit.
from ossia.contrib.learn import (
 Head as Head, binary_svm_head as binary_svm_head, multi_class_head as multi_class_head, multi_head as multi_head,
 multi_label_head as multi_label_head, no_op_train_fn as no_op_train_fn,
 poisson_regression_head as poisson_regression_head, regression_head as regression_head
)
from ossia_contrib.learn.heads.measures import MetricKey as _mkey
from ossia_contrib.learn.heads.regression import loss_only_head as loss_only_head
mkey = _mkey
