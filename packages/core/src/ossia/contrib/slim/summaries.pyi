# Written by tools/api_stubs.py; do not edit.
from ossia_contrib.slim.summaries import (
 add_histogram_summaries as add_histogram_summaries, add_histogram_summary as add_histogram_summary,
 add_image_summaries as add_image_summaries, add_image_summary as add_image_summary,
 add_scalar_summaries as add_scalar_summaries, add_scalar_summary as add_scalar_summary,
 add_zero_fraction_summaries as add_zero_fraction_summaries, add_zero_fraction_summary as add_zero_fraction_summary
)
