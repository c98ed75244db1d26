# Written by tools/api_stubs.py; do not edit.
from ossia_contrib.learn.datasets.mnist import (
 DataSet as DataSet, extract_images as extract_images, extract_labels as extract_labels, load_mnist as load_mnist,
 read_data_sets as read_data_sets
)
