# Written by tools/api_stubs.py; do not edit.
from . import python as python
from ossia.contrib.slim.evaluation import (
 checkpoints_iterator as checkpoints_iterator, wait_for_new_checkpoint as wait_for_new_checkpoint
)
from ossia.contrib.slim.learning import (
 add_gradients_summaries as add_gradients_summaries, clip_gradient_norms as clip_gradient_norms,
 multiply_gradients as multiply_gradients
)
from ossia_contrib.training.buckets import bucket as bucket, bucket_by_sequence_length as bucket_by_sequence_length
from ossia_contrib.training.evaluation import (
 StopAfterNEvalsHook as StopAfterNEvalsHook, SummaryAtEndHook as SummaryAtEndHook, evaluate_once as evaluate_once,
 evaluate_repeatedly as evaluate_repeatedly, get_or_create_eval_step as get_or_create_eval_step
)
from ossia_contrib.training.hyperparameters import HParams as HParams
from ossia_contrib.training.placement import (
 GreedyLoadBalancingStrategy as GreedyLoadBalancingStrategy, RandomStrategy as RandomStrategy,
 byte_size_load_fn as byte_size_load_fn
)
from ossia_contrib.training.resampling import (
 resample_at_rate as resample_at_rate, weighted_resample as weighted_resample
)
from ossia_contrib.training.sampling import rejection_sample as rejection_sample, stratified_sample as stratified_sample
from ossia_contrib.training.steps import (
 clip_gradient_norms_fn as clip_gradient_norms_fn, create_train_op as create_train_op, train as train
)
