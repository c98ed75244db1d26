# Written by tools/api_stubs.py; do not edit.
from ossia_core.names.switches import output_all_intermediates as output_all_intermediates
from ossia_program.config import function_executor_type as function_executor_type
