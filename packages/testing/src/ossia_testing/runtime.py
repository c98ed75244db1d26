"""Running tests, and what they ask about the machine."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from typing import Any
from unittest import mock  # noqa: F401 - served as tf.test.mock

from ossia_core.plugins.api_table import public, public_value

public_value("test.mock", name="mock")

_temp_dir: str | None = None


@public("test.main")
def main(argv: list[str] | None = None) -> None:
    """Runs the tests of the program's main file, or the benchmarks named by `--benchmarks=REGEX`; then exits.

    Args:
        argv: the command line, `sys.argv` by default.
    """
    import sys

    from absl.testing import absltest

    from ossia_program import flags
    from ossia_testing import benchmark

    arguments = sys.argv if argv is None else argv
    chosen = [argument for argument in arguments if argument.startswith("--benchmarks=")]
    if chosen:
        flags.define_standard_flags()
        flags.FLAGS([argument for argument in arguments if argument not in chosen], known_only=True)
        benchmark.run_all(chosen[-1].partition("=")[2])
        return
    absltest.main(argv=argv)


@public("test.get_temp_dir")
def get_temp_dir() -> str:
    """Returns a folder for temporary files, the same during the whole run; it is deleted at the end.

    It lies in the folder that the environment variable TEST_TMPDIR names, if set.
    """
    global _temp_dir
    if _temp_dir is None:
        parent = os.environ.get("TEST_TMPDIR") or None
        if parent:
            os.makedirs(parent, exist_ok=True)
        _temp_dir = tempfile.mkdtemp(prefix="ossia_test_", dir=parent)
        atexit.register(shutil.rmtree, _temp_dir, ignore_errors=True)
    return _temp_dir


@public("test.test_src_dir_path")
def test_src_dir_path(relative_path: str) -> str:
    """Returns the path of a file in the folder of test data, which the environment variable TEST_SRCDIR names.

    Raises:
        KeyError: if the variable is not set.
    """
    return os.path.join(os.environ["TEST_SRCDIR"], relative_path)


test_src_dir_path.__test__ = False  # type: ignore[attr-defined]  # no test, whatever its name looks like


@public("test.is_built_with_cuda")
def is_built_with_cuda() -> bool:
    """Whether computing on NVIDIA GPUs is possible: never."""
    return False


@public("test.is_built_with_rocm")
def is_built_with_rocm() -> bool:
    """Whether computing on AMD GPUs is possible: never."""
    return False


@public("test.is_built_with_gpu_support")
def is_built_with_gpu_support() -> bool:
    """Whether computing on GPUs is possible: never."""
    return False


@public("test.is_gpu_available")
def is_gpu_available(cuda_only: bool = False, min_cuda_compute_capability: tuple[int, int] | None = None) -> bool:
    """Whether there is a GPU to compute on: never."""
    return False


@public("test.gpu_device_name")
def gpu_device_name() -> str:
    """Returns the name of a GPU; `""`, since none is used."""
    return ""


@public("test.benchmark_config")
def benchmark_config() -> Any:
    """Returns a ConfigProto for benchmarks."""
    from ossia_core.proto import ConfigProto

    return ConfigProto()
