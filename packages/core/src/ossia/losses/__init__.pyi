"""Written by `python -m ossia_core.api_stubs packages`; do not edit."""

from ossia_nn.losses import Reduction as Reduction
from ossia_nn.losses import absolute_difference as absolute_difference
from ossia_nn.losses import add_loss as add_loss
from ossia_nn.losses import compute_weighted_loss as compute_weighted_loss
from ossia_nn.losses import cosine_distance as cosine_distance
from ossia_nn.losses import get_losses as get_losses
from ossia_nn.losses import get_regularization_loss as get_regularization_loss
from ossia_nn.losses import get_regularization_losses as get_regularization_losses
from ossia_nn.losses import get_total_loss as get_total_loss
from ossia_nn.losses import hinge_loss as hinge_loss
from ossia_nn.losses import huber_loss as huber_loss
from ossia_nn.losses import log_loss as log_loss
from ossia_nn.losses import mean_pairwise_squared_error as mean_pairwise_squared_error
from ossia_nn.losses import mean_squared_error as mean_squared_error
from ossia_nn.losses import sigmoid_cross_entropy as sigmoid_cross_entropy
from ossia_nn.losses import softmax_cross_entropy as softmax_cross_entropy
from ossia_nn.losses import sparse_softmax_cross_entropy as sparse_softmax_cross_entropy
