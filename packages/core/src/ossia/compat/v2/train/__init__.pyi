"""Written by `python -m ossia_core.api_stubs packages`; do not edit."""

from . import experimental as experimental
from ossia_checkpoint.reader import (
 list_variables as list_variables, load_checkpoint as load_checkpoint, load_variable as load_variable
)
from ossia_checkpoint.state import (
 checkpoints_iterator as checkpoints_iterator, get_checkpoint_state as get_checkpoint_state,
 latest_checkpoint as latest_checkpoint
)
from ossia_core.proto import (
 BytesList as BytesList, ClusterDef as ClusterDef, Example as Example, Feature as Feature, FeatureList as FeatureList,
 FeatureLists as FeatureLists, Features as Features, FloatList as FloatList, Int64List as Int64List, JobDef as JobDef,
 SequenceExample as SequenceExample, ServerDef as ServerDef
)
from ossia_optimizers.moving_average import ExponentialMovingAverage as ExponentialMovingAverage
from ossia_queues.coordinator import Coordinator as Coordinator
