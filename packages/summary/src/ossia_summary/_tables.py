"""Public names and ops of ossia_summary. Written by `python -m ossia_core.api_table packages/summary`; do not edit."""

from ossia_core.api_table import read

API, OPS = read("ossia_summary", """
.audio: audio_summary summary.audio +AudioSummary +AudioSummaryV2
.description: summary.get_summary_description
.histogram: histogram_summary summary.histogram +HistogramSummary
.image: image_summary summary.image +ImageSummary
.merge: merge_all_summaries merge_summary summary.merge summary.merge_all +MergeSummary
.reading: train.summary_iterator
.scalar: scalar_summary summary.scalar +ScalarSummary
.session_writer: summary.all_v2_summary_ops summary.initialize
.tensor: summary.tensor_summary summary.text +TensorSummary +TensorSummaryV2
.writer: summary.FileWriter summary.FileWriterCache train.SummaryWriter
.writer_ops: +CloseSummaryWriter +CreateSummaryFileWriter +FlushSummaryWriter +ImportEvent +SummaryWriter
""")
