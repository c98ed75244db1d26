# Written by tools/api_stubs.py; do not edit.
from ossia.distribute.experimental import (
 CentralStorageStrategy as CentralStorageStrategy, CollectiveCommunication as CollectiveCommunication,
 MultiWorkerMirroredStrategy as MultiWorkerMirroredStrategy, ParameterServerStrategy as ParameterServerStrategy,
 TPUStrategy as TPUStrategy
)
