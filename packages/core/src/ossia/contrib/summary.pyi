# Written by tools/api_stubs.py; do not edit.
from ossia_summary.v2.recording import (
 always_record_summaries as always_record_summaries, never_record_summaries as never_record_summaries,
 record_summaries_every_n_global_steps as record_summaries_every_n_global_steps,
 should_record_summaries as should_record_summaries
)
from ossia_summary.v2.summaries import (
 audio as audio, generic as generic, graph as graph, histogram as histogram, image as image, scalar as scalar
)
from ossia_summary.v2.writers import (
 SummaryWriter as SummaryWriter, all_summary_ops as all_summary_ops, create_file_writer as create_file_writer,
 create_file_writer as _create_summary_file_writer, eval_dir as eval_dir, flush as flush, import_event as import_event,
 initialize as initialize, summary_writer_initializer_op as summary_writer_initializer_op
)
create_summary_file_writer = _create_summary_file_writer
