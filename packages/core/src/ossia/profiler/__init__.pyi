"""Written by `python -m ossia_core.api_stubs packages`; do not edit."""

from ossia_core.proto import AdviceProto as AdviceProto
from ossia_core.proto import GraphNodeProto as GraphNodeProto
from ossia_core.proto import MultiGraphNodeProto as MultiGraphNodeProto
from ossia_core.proto import OpLogProto as OpLogProto
