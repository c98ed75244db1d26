# Written by tools/api_stubs.py; do not edit.
from . import experimental as experimental
from ossia.train import (
 BytesList as BytesList, CheckpointManager as CheckpointManager, ClusterDef as ClusterDef, Coordinator as Coordinator,
 Example as Example, ExponentialMovingAverage as ExponentialMovingAverage, Feature as Feature,
 FeatureList as FeatureList, FeatureLists as FeatureLists, Features as Features, FloatList as FloatList,
 Int64List as Int64List, JobDef as JobDef, SequenceExample as SequenceExample, ServerDef as ServerDef,
 checkpoints_iterator as checkpoints_iterator, get_checkpoint_state as get_checkpoint_state,
 latest_checkpoint as latest_checkpoint, list_variables as list_variables, load_checkpoint as load_checkpoint,
 load_variable as load_variable
)
from ossia_checkpoint.objects.checkpoint import CheckpointV2 as _Checkpoint
Checkpoint = _Checkpoint
