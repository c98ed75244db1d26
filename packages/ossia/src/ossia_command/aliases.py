"""Serves Ossia under the name `tensorflow`, with the private paths that TensorFlow 1 programs commonly import from.

`tensorflow.X` is `ossia.X`. A module below `tensorflow.python` or `tensorflow.core` has no counterpart; what programs
take from it is nearly always public under another name, so it is served as a module that looks its members up in one or
more modules of the API.
"""

from __future__ import annotations

import fnmatch
import importlib
import importlib.util
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType

PACKAGES = ("python", "core")
"""The packages below `tensorflow` that hold private modules."""

SOURCES: dict[str, tuple[str, ...]] = {
    "core.*_pb2": ("ossia_core.proto", "ossia", "ossia.train", "ossia.summary"),
    "python.client.*": ("ossia", "ossia.python_io"),
    "python.estimator*": ("ossia.estimator",),
    "python.feature_column.*": ("ossia.feature_column",),
    "python.framework.dtypes": ("ossia.dtypes", "ossia"),
    "python.framework.errors*": ("ossia.errors",),
    "python.framework.graph_util*": ("ossia.graph_util", "ossia"),
    "python.framework.tensor_util": ("ossia", "ossia_core.tensor_values"),
    "python.framework.test_util": ("ossia.test", "ossia"),
    "python.framework.*": ("ossia", "ossia.train"),
    "python.layers.*": ("ossia.layers", "ossia"),
    "python.lib.io.file_io": ("ossia_core.files", "ossia.gfile"),
    "python.lib.io.tf_record": ("ossia.python_io", "ossia.io"),
    "python.lib.io.*": ("ossia.io",),
    "python.lookup_ops": ("ossia.lookup", "ossia"),
    "python.ops.array_ops": ("ossia", "ossia.quantization"),
    "python.ops.bitwise_ops": ("ossia.bitwise",),
    "python.ops.check_ops": ("ossia.debugging", "ossia"),
    "python.ops.data_flow_ops": ("ossia.queue", "ossia", "ossia.train"),
    "python.ops.embedding_ops": ("ossia.nn",),
    "python.ops.image_ops*": ("ossia.image",),
    "python.ops.init_ops*": ("ossia.initializers", "ossia"),
    "python.ops.linalg*": ("ossia.linalg", "ossia"),
    "python.ops.lookup_ops": ("ossia.lookup", "ossia.initializers", "ossia"),
    "python.ops.losses*": ("ossia.losses",),
    "python.ops.math_ops": ("ossia.math", "ossia"),
    "python.ops.metrics*": ("ossia.metrics",),
    "python.ops.nn*": ("ossia.nn", "ossia.math", "ossia"),
    "python.ops.parsing_ops": ("ossia.io", "ossia"),
    "python.ops.random_ops": ("ossia.random", "ossia"),
    "python.ops.rnn_cell*": ("ossia.nn.rnn_cell",),
    "python.ops.rnn": ("ossia.nn",),
    "python.ops.gen_nn_ops": ("ossia.nn", "ossia"),
    "python.ops.sparse_ops": ("ossia.sparse", "ossia"),
    "python.ops.spectral_ops": ("ossia.spectral", "ossia.signal"),
    "python.ops.string_ops": ("ossia.strings", "ossia"),
    "python.ops.*": ("ossia", "ossia.math", "ossia.nn"),
    "python.platform.app": ("ossia.app",),
    "python.platform.flags": ("ossia.flags",),
    "python.platform.gfile": ("ossia.gfile",),
    "python.platform.googletest": ("ossia.test",),
    "python.platform.resource_loader": ("ossia.resource_loader",),
    "python.platform.test": ("ossia.test",),
    "python.platform.tf_logging": ("ossia.logging",),
    "python.pywrap_tensorflow": ("ossia.train", "ossia"),
    "python.saved_model.*": ("ossia.saved_model", "ossia.saved_model.signature_def_utils", "ossia.saved_model.utils",
                             "ossia.saved_model.tag_constants", "ossia.saved_model.signature_constants"),
    "python.summary.*": ("ossia.summary",),
    "python.training.*": ("ossia.train", "ossia.mixed_precision", "ossia"),
    "python.util.nest": ("ossia_core.nest", "ossia.nest"),
    "python.util.compat": ("ossia.compat",),
    "python.util.*": ("ossia", "ossia.compat"),
}
"""Private modules, as patterns below `tensorflow`, and where members are looked up; the first match counts."""


class PrivateModule(ModuleType):
    """A private module of the original: its members are looked up in other modules."""

    def __init__(self, name: str, sources: tuple[str, ...]) -> None:
        super().__init__(name)
        self._sources = sources

    def __getattr__(self, name: str) -> object:
        reason: Exception | None = None
        for source in () if name.startswith("__") else self._sources:
            try:
                return getattr(importlib.import_module(source), name)
            except (AttributeError, ModuleNotFoundError) as error:
                reason = reason or error
        raise AttributeError(
            f"module {self.__name__!r} has no attribute {name!r} in Ossia", name=name, obj=self
        ) from reason


class TensorflowFinder:
    """Finds `tensorflow` and everything below it."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The spec of `tensorflow` or a module below it; None for anything else."""
        root, _, inner = fullname.partition(".")
        if root != "tensorflow":
            return None
        if _private(inner) or not inner or importlib.util.find_spec(f"ossia.{inner}"):
            return ModuleSpec(fullname, self, is_package=True)  # type: ignore[arg-type]
        return None

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """A module for a private path; None, the default, for a public one."""
        inner = spec.name.partition(".")[2]
        return PrivateModule(spec.name, sources(inner)) if _private(inner) else None

    def exec_module(self, module: ModuleType) -> None:
        """Puts the public module of Ossia in the place of the new one."""
        if not isinstance(module, PrivateModule):
            root, dot, inner = module.__name__.partition(".")
            sys.modules[module.__name__] = importlib.import_module(f"ossia{dot}{inner}")


def install() -> None:
    """Makes `import tensorflow` give Ossia in this process, also where TensorFlow is installed."""
    if not any(isinstance(finder, TensorflowFinder) for finder in sys.meta_path):
        sys.meta_path.insert(0, TensorflowFinder())


def sources(inner: str) -> tuple[str, ...]:
    """Where members of the private module `tensorflow.<inner>` are looked up; empty for packages of such modules."""
    return next((found for pattern, found in SOURCES.items() if fnmatch.fnmatchcase(inner, pattern)), ())


def _private(inner: str) -> bool:
    """Whether `tensorflow.<inner>` is a private module, or a package of private modules."""
    if inner.partition(".")[0] not in PACKAGES:
        return False
    return bool(sources(inner)) or inner in PACKAGES or any(pattern.startswith(inner + ".") for pattern in SOURCES) or (
        inner.startswith("core.") and inner.count(".") == 1)
