# Written by ossia_core.plugins.api_stubs; do not edit.
from ossia_contrib.summary.records import (
 audio as audio, generic as generic, graph as graph, histogram as histogram, image as image,
 import_event as import_event, scalar as scalar
)
from ossia_contrib.summary.writers import (
 SummaryWriter as SummaryWriter, all_summary_ops as all_summary_ops, always_record_summaries as always_record_summaries,
 create_db_writer as create_db_writer, create_file_writer as create_file_writer,
 create_file_writer as _create_summary_file_writer, eval_dir as eval_dir, flush as flush, initialize as initialize,
 never_record_summaries as never_record_summaries,
 record_summaries_every_n_global_steps as record_summaries_every_n_global_steps,
 should_record_summaries as should_record_summaries, summary_writer_initializer_op as summary_writer_initializer_op
)
create_summary_file_writer = _create_summary_file_writer
