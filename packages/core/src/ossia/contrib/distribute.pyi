# Written by ossia_core.plugins.api_stubs; do not edit.
from ossia_contrib.absent import (
 CollectiveAllReduceStrategy as CollectiveAllReduceStrategy, MirroredStrategy as MirroredStrategy,
 OneDeviceStrategy as OneDeviceStrategy, ParameterServerStrategy as ParameterServerStrategy, TPUStrategy as TPUStrategy
)
