# Written by tools/api_stubs.py; do not edit.
from . import experimental as experimental
from ossia.contrib.summary import SummaryWriter as SummaryWriter, flush as flush
from ossia_summary.v2.plugins import (
 audio as audio, histogram as histogram, image as image, scalar as scalar, text as text
)
from ossia_summary.v2.recording import record_if as record_if
from ossia_summary.v2.summaries import write as write
from ossia_summary.v2.traces import trace_export as trace_export, trace_off as trace_off, trace_on as trace_on
from ossia_summary.v2.writers import (
 create_file_writer_v2 as _create_file_writer, create_noop_writer as create_noop_writer
)
create_file_writer = _create_file_writer
