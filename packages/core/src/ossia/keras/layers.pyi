# Written by tools/api_stubs.py; do not edit.
from ossia_feature_column.dense_features import DenseFeatures as DenseFeatures
