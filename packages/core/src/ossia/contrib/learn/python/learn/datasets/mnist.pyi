# Written by ossia_core.plugins.api_stubs; do not edit.
from ossia.contrib.learn.datasets.mnist import (
 DataSet as DataSet, extract_images as extract_images, extract_labels as extract_labels,
 read_data_sets as read_data_sets
)
