# Written by tools/api_stubs.py; do not edit.
from ossia_contrib.absent import load_keras_model as load_keras_model, save_keras_model as save_keras_model
