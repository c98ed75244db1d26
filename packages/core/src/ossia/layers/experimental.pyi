# Written by tools/api_stubs.py; do not edit.
from ossia_nn.layers.base import keras_style_scope as keras_style_scope, set_keras_style as set_keras_style
