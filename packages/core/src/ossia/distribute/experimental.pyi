# Written by tools/api_stubs.py; do not edit.
from ossia_distribute.strategy.local import CentralStorageStrategy as CentralStorageStrategy
from ossia_distribute.strategy.parameter_server import (
 CollectiveCommunication as CollectiveCommunication, MultiWorkerMirroredStrategy as MultiWorkerMirroredStrategy,
 ParameterServerStrategy as ParameterServerStrategy, TPUStrategy as TPUStrategy
)
