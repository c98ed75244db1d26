# Written by tools/api_stubs.py; do not edit.
from ossia.keras.layers import DenseFeatures as DenseFeatures
