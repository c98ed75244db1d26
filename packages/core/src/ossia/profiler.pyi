# Written by ossia_core.plugins.api_stubs; do not edit.
from ossia_core.proto import (
 AdviceProto as AdviceProto, GraphNodeProto as GraphNodeProto, MultiGraphNodeProto as MultiGraphNodeProto,
 OpLogProto as OpLogProto
)
