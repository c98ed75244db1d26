# Written by tools/api_stubs.py; do not edit.
from ossia_core.proto import (
 Event as Event, SessionLog as SessionLog, Summary as Summary, SummaryDescription as SummaryDescription,
 TaggedRunMetadata as TaggedRunMetadata
)
from ossia_summary.audio import audio as audio
from ossia_summary.description import get_summary_description as get_summary_description
from ossia_summary.histogram import histogram as histogram
from ossia_summary.image import image as image
from ossia_summary.merge import merge as merge, merge_all as merge_all
from ossia_summary.scalar import scalar as scalar
from ossia_summary.session_writer import all_v2_summary_ops as all_v2_summary_ops, initialize as initialize
from ossia_summary.tensor import tensor_summary as tensor_summary, text as text
from ossia_summary.writer import FileWriter as FileWriter, FileWriterCache as FileWriterCache
