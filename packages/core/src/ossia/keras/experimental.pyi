# Written by tools/api_stubs.py; do not edit.
from ossia_feature_column.sequence_features import SequenceFeatures as SequenceFeatures
