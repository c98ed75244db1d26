# Written by tools/api_stubs.py; do not edit.
from ossia_contrib.slim.evaluation import evaluate_once as evaluate_once, evaluation_loop as evaluation_loop
from ossia_contrib.training.evaluation import (
 checkpoints_iterator as checkpoints_iterator, wait_for_new_checkpoint as wait_for_new_checkpoint
)
