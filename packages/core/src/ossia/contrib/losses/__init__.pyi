# Written by tools/api_stubs.py; do not edit.
from . import metric_learning as metric_learning
from ossia_contrib.losses.classification import (
 sigmoid_cross_entropy as sigmoid_cross_entropy, softmax_cross_entropy as softmax_cross_entropy,
 sparse_softmax_cross_entropy as sparse_softmax_cross_entropy
)
from ossia_contrib.losses.elementwise import (
 absolute_difference as absolute_difference, cosine_distance as cosine_distance, hinge_loss as hinge_loss,
 log_loss as log_loss, mean_pairwise_squared_error as mean_pairwise_squared_error,
 mean_squared_error as mean_squared_error
)
from ossia_contrib.losses.weighting import (
 add_loss as add_loss, compute_weighted_loss as compute_weighted_loss, get_losses as get_losses,
 get_regularization_losses as get_regularization_losses, get_total_loss as get_total_loss
)
