# Written by tools/api_stubs.py; do not edit.
from ossia_testing.benchmark import Benchmark as Benchmark
from ossia_testing.case import TestCase as TestCase
from ossia_testing.gradients import (
 compute_gradient as compute_gradient, compute_gradient_error as compute_gradient_error
)
from ossia_testing.graph_defs import assert_equal_graph_def as assert_equal_graph_def
from ossia_testing.runtime import (
 benchmark_config as benchmark_config, get_temp_dir as get_temp_dir, gpu_device_name as gpu_device_name,
 is_built_with_cuda as is_built_with_cuda, is_built_with_gpu_support as is_built_with_gpu_support,
 is_built_with_rocm as is_built_with_rocm, is_gpu_available as is_gpu_available, main as main, mock as mock,
 test_src_dir_path as test_src_dir_path
)
from ossia_testing.stubs import StubOutForTesting as StubOutForTesting
