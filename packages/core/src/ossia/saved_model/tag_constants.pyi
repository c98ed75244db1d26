# Written by tools/api_stubs.py; do not edit.
from ossia.saved_model import GPU as GPU, SERVING as SERVING, TPU as TPU, TRAINING as TRAINING
