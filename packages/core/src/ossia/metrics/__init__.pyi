"""Written by `python -m ossia_core.api_stubs packages`; do not edit."""

from ossia_nn.metrics.means import accuracy as accuracy
from ossia_nn.metrics.thresholds import auc as auc
from ossia_nn.metrics.ranking import average_precision_at_k as average_precision_at_k
from ossia_nn.metrics.counts import false_negatives as false_negatives
from ossia_nn.metrics.thresholds import false_negatives_at_thresholds as false_negatives_at_thresholds
from ossia_nn.metrics.counts import false_positives as false_positives
from ossia_nn.metrics.thresholds import false_positives_at_thresholds as false_positives_at_thresholds
from ossia_nn.metrics.means import mean as mean
from ossia_nn.metrics.means import mean_absolute_error as mean_absolute_error
from ossia_nn.metrics.means import mean_cosine_distance as mean_cosine_distance
from ossia_nn.metrics.classes import mean_iou as mean_iou
from ossia_nn.metrics.classes import mean_per_class_accuracy as mean_per_class_accuracy
from ossia_nn.metrics.means import mean_relative_error as mean_relative_error
from ossia_nn.metrics.means import mean_squared_error as mean_squared_error
from ossia_nn.metrics.means import mean_tensor as mean_tensor
from ossia_nn.metrics.means import percentage_below as percentage_below
from ossia_nn.metrics.counts import precision as precision
from ossia_nn.metrics.ranking import precision_at_k as precision_at_k
from ossia_nn.metrics.thresholds import precision_at_thresholds as precision_at_thresholds
from ossia_nn.metrics.ranking import precision_at_top_k as precision_at_top_k
from ossia_nn.metrics.counts import recall as recall
from ossia_nn.metrics.ranking import recall_at_k as recall_at_k
from ossia_nn.metrics.thresholds import recall_at_thresholds as recall_at_thresholds
from ossia_nn.metrics.ranking import recall_at_top_k as recall_at_top_k
from ossia_nn.metrics.means import root_mean_squared_error as root_mean_squared_error
from ossia_nn.metrics.thresholds import sensitivity_at_specificity as sensitivity_at_specificity
from ossia_nn.metrics.ranking import average_precision_at_k as _sparse_average_precision_at_k
sparse_average_precision_at_k = _sparse_average_precision_at_k
from ossia_nn.metrics.ranking import precision_at_k as _sparse_precision_at_k
sparse_precision_at_k = _sparse_precision_at_k
from ossia_nn.metrics.thresholds import specificity_at_sensitivity as specificity_at_sensitivity
from ossia_nn.metrics.counts import true_negatives as true_negatives
from ossia_nn.metrics.thresholds import true_negatives_at_thresholds as true_negatives_at_thresholds
from ossia_nn.metrics.counts import true_positives as true_positives
from ossia_nn.metrics.thresholds import true_positives_at_thresholds as true_positives_at_thresholds
