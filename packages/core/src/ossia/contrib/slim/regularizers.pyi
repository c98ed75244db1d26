# Written by tools/api_stubs.py; do not edit.
from ossia.contrib.layers import (
 apply_regularization as apply_regularization, l1_l2_regularizer as l1_l2_regularizer, l1_regularizer as l1_regularizer,
 l2_regularizer as l2_regularizer, sum_regularizer as sum_regularizer
)
