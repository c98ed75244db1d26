"""Written by `python -m ossia_core.api_stubs packages`; do not edit."""

from ossia_core.proto import BytesList as BytesList
from ossia_core.proto import ClusterDef as ClusterDef
from ossia_queues.coordinator import Coordinator as Coordinator
from ossia_core.proto import Example as Example
from ossia_optimizers.moving_average import ExponentialMovingAverage as ExponentialMovingAverage
from ossia_core.proto import Feature as Feature
from ossia_core.proto import FeatureList as FeatureList
from ossia_core.proto import FeatureLists as FeatureLists
from ossia_core.proto import Features as Features
from ossia_core.proto import FloatList as FloatList
from ossia_core.proto import Int64List as Int64List
from ossia_core.proto import JobDef as JobDef
from ossia_core.proto import SequenceExample as SequenceExample
from ossia_core.proto import ServerDef as ServerDef
from ossia_checkpoint.state import checkpoints_iterator as checkpoints_iterator
from . import experimental as experimental
from ossia_checkpoint.state import get_checkpoint_state as get_checkpoint_state
from ossia_checkpoint.state import latest_checkpoint as latest_checkpoint
from ossia_checkpoint.reader import list_variables as list_variables
from ossia_checkpoint.reader import load_checkpoint as load_checkpoint
from ossia_checkpoint.reader import load_variable as load_variable
