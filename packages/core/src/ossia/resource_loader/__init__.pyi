"""Written by `python -m ossia_core.api_stubs packages`; do not edit."""

from ossia_core.resource_loader import get_data_files_path as get_data_files_path
from ossia_core.resource_loader import get_path_to_datafile as get_path_to_datafile
from ossia_core.resource_loader import get_root_dir_with_all_resources as get_root_dir_with_all_resources
from ossia_core.resource_loader import load_resource as load_resource
from ossia_core.resource_loader import readahead_file_path as readahead_file_path
