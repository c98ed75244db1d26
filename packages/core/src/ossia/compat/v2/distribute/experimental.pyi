# Written by ossia_core.plugins.api_stubs; do not edit.
from ossia.distribute.experimental import (
 CentralStorageStrategy as CentralStorageStrategy, CollectiveCommunication as CollectiveCommunication,
 MultiWorkerMirroredStrategy as MultiWorkerMirroredStrategy, ParameterServerStrategy as ParameterServerStrategy,
 TPUStrategy as TPUStrategy
)
