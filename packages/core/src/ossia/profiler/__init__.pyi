"""Written by `python -m ossia_core.api_stubs packages`; do not edit."""

from ossia_core.proto import (
 AdviceProto as AdviceProto, GraphNodeProto as GraphNodeProto, MultiGraphNodeProto as MultiGraphNodeProto,
 OpLogProto as OpLogProto
)
