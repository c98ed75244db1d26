# Written by ossia_core.api_stubs; do not edit.
from ossia_core.config import function_executor_type as function_executor_type
from ossia_core.switches import output_all_intermediates as output_all_intermediates
