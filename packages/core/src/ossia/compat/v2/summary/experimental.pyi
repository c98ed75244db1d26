# Written by tools/api_stubs.py; do not edit.
from ossia_summary.v2.recording import get_step as get_step, set_step as set_step
from ossia_summary.v2.summaries import summary_scope as summary_scope, write_raw_pb as write_raw_pb
