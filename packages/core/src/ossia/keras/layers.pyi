# Written by ossia_core.plugins.api_stubs; do not edit.
from ossia_feature_column.dense_features import DenseFeatures as DenseFeatures
