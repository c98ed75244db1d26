"""Written by `python -m ossia_core.api_stubs packages`; do not edit."""

from ossia_core.testing.benchmark import Benchmark as Benchmark
from ossia_core.testing.stubs import StubOutForTesting as StubOutForTesting
from ossia_core.testing.case import TestCase as TestCase
from ossia_core.testing.graph_defs import assert_equal_graph_def as assert_equal_graph_def
from ossia_core.testing.runtime import benchmark_config as benchmark_config
from ossia_core.testing.gradients import compute_gradient as compute_gradient
from ossia_core.testing.gradients import compute_gradient_error as compute_gradient_error
from ossia_core.testing.runtime import get_temp_dir as get_temp_dir
from ossia_core.testing.runtime import gpu_device_name as gpu_device_name
from ossia_core.testing.runtime import is_built_with_cuda as is_built_with_cuda
from ossia_core.testing.runtime import is_built_with_gpu_support as is_built_with_gpu_support
from ossia_core.testing.runtime import is_built_with_rocm as is_built_with_rocm
from ossia_core.testing.runtime import is_gpu_available as is_gpu_available
from ossia_core.testing.runtime import main as main
from ossia_core.testing.runtime import mock as mock
from ossia_core.testing.runtime import test_src_dir_path as test_src_dir_path
