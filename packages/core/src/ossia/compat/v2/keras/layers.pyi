# Written by ossia_core.plugins.api_stubs; do not edit.
from ossia.keras.layers import DenseFeatures as DenseFeatures
