# Written by tools/api_stubs.py; do not edit.
from ossia.contrib.layers import (
 variance_scaling_initializer as variance_scaling_initializer, xavier_initializer as xavier_initializer,
 xavier_initializer_conv2d as xavier_initializer_conv2d
)
