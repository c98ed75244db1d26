# Written by tools/api_stubs.py; do not edit.
from ossia_contrib.slim.parallel_reader import (
 ParallelReader as ParallelReader, get_data_files as get_data_files, parallel_read as parallel_read,
 single_pass_read as single_pass_read
)
