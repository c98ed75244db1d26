# Written by tools/api_stubs.py; do not edit.
from ossia_contrib.older_names import (
 audio_summary as audio_summary, histogram_summary as histogram_summary, image_summary as image_summary,
 merge_all_summaries as merge_all_summaries, merge_summary as merge_summary, scalar_summary as scalar_summary
)
