# Written by tools/api_stubs.py; do not edit.
from ossia_core.proto import (
 AdviceProto as AdviceProto, GraphNodeProto as GraphNodeProto, MultiGraphNodeProto as MultiGraphNodeProto,
 OpLogProto as OpLogProto
)
from ossia_session.profiler.options import ProfileOptionBuilder as ProfileOptionBuilder
from ossia_session.profiler.profile import (
 Profiler as Profiler, advise as advise, profile as profile, write_op_log as write_op_log
)
