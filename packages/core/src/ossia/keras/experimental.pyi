# Written by ossia_core.plugins.api_stubs; do not edit.
from ossia_feature_column.sequence_features import SequenceFeatures as SequenceFeatures
