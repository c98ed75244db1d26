"""Every hook of Ossia, in one place: what a plugin can provide, and what that causes.

A plugin is a module named by an entry point of the group `ossia`:

    [project.entry-points.ossia]
    example = "ossia_example.plugin"

The module implements some of the hooks below, each marked with `hookimpl`. Ossia's own packages use the same hooks.
Targets are strings `"module:attribute"`, imported when they are first used, so that a plugin costs nothing until then:
a plugin module should import nothing but `hookimpl` and its tables.

In each docstring: when the hook is called; what to return and what that causes; parameters; ordering; an example.
"""

from __future__ import annotations

from collections.abc import Mapping

import pluggy

hookspec = pluggy.HookspecMarker("ossia")
hookimpl = pluggy.HookimplMarker("ossia")


# The public API


@hookspec
def ossia_api() -> Mapping[str, str]:  # type: ignore[empty-body]
    """Public names of `tf.*`.

    Called once, when the first attribute of `ossia` is looked up.

    Returns a mapping of dotted names without `tf.` to `"module:attribute"` (`"module:"` for a whole module). Each name
    is served as `tf.<name>` and `tf.compat.v1.<name>`; a name that starts with `compat.v2.` is served there only.

    No parameters. A name that an Ossia package declares cannot be taken over; between third parties the first
    entry point in alphabetical order wins, and a warning names both.

    Example::

        @hookimpl
        def ossia_api():
            return {"train.LionOptimizer": "ossia_lion.lion:LionOptimizer"}
    """


@hookspec
def ossia_optimizers() -> Mapping[str, str]:  # type: ignore[empty-body]
    """Optimizers: subclasses of `ossia_optimizers.base.Optimizer`.

    Called once, together with `ossia_api`.

    Returns a mapping of class names to `"module:Class"`. Each is served as `tf.train.<name>`, and the test kit's
    optimizer table runs over it.

    No parameters. Ordering as for `ossia_api`.

    Example::

        @hookimpl
        def ossia_optimizers():
            return {"LionOptimizer": "ossia_lion.lion:LionOptimizer"}
    """


@hookspec
def ossia_schedules() -> Mapping[str, str]:  # type: ignore[empty-body]
    """Learning-rate schedules: functions of `(learning_rate, global_step, ...)` that build a scalar tensor.

    Called once, together with `ossia_api`.

    Returns a mapping of function names to `"module:function"`. Each is served as `tf.train.<name>`.

    No parameters. Ordering as for `ossia_api`.

    Example::

        @hookimpl
        def ossia_schedules():
            return {"one_cycle_decay": "ossia_one_cycle.decay:one_cycle_decay"}
    """


@hookspec
def ossia_session_hooks() -> Mapping[str, str]:  # type: ignore[empty-body]
    """Session run hooks: subclasses of `tf.train.SessionRunHook`.

    Called once, together with `ossia_api`.

    Returns a mapping of class names to `"module:Class"`. Each is served as `tf.train.<name>`.

    No parameters. Ordering as for `ossia_api`.

    Example::

        @hookimpl
        def ossia_session_hooks():
            return {"EarlyStoppingHook": "ossia_early.stopping:EarlyStoppingHook"}
    """


# Ops and how they run


@hookspec
def ossia_ops() -> Mapping[str, str]:  # type: ignore[empty-body]
    """Ops.

    Called once, when an op type is first looked up by name: by `import_graph_def`, `lookup` or `tf.raw_ops`.

    Returns a mapping of op types to the modules that define them with `ossia_core.declare.opdef.op`. The module is
    imported when the type is needed.

    No parameters. Ordering as for `ossia_api`.

    Example::

        @hookimpl
        def ossia_ops():
            return {"Hardswish": "ossia_hardswish.hardswish"}
    """


@hookspec
def ossia_gradients() -> Mapping[str, str]:  # type: ignore[empty-body]
    """Gradients of ops that are defined elsewhere.

    Called once, when `tf.gradients` first meets an op without a gradient of its own.

    Returns a mapping of op types (or names used in `gradient_override_map`) to `"module:function"`; the function takes
    the operation and one gradient per output, and returns one gradient, or None, per input.

    No parameters. A gradient that stands with its op, or that a program registers, comes first; else ordering as for
    `ossia_api`.

    Example::

        @hookimpl
        def ossia_gradients():
            return {"Floor": "ossia_straight_through.gradients:floor"}
    """


@hookspec
def ossia_backends() -> Mapping[str, str]:  # type: ignore[empty-body]
    """Compute backends: subclasses of `ossia_core.backend.Backend`.

    Called once, when the first session is made.

    Returns a mapping of backend names to `"module:Class"`. For every plan each backend is asked for kernels and regions
    in order of its `priority`, the highest first; the NumPy backend, which has a kernel for every op, is last.

    No parameters. Backends of equal priority are asked in the order of their names.

    Example::

        @hookimpl
        def ossia_backends():
            return {"cuda": "ossia_cuda.backend:CudaBackend"}
    """


@hookspec
def ossia_plan_rewrites() -> Mapping[str, str]:  # type: ignore[empty-body]
    """Rewrites of what plans run. The session's graph stays as it is: a rewrite sees the plan's own copy of the nodes.

    Called once, when the first session is made.

    Returns a mapping of names to `"module:function"`. A rewrite applies to the sessions that ask for it by its name: by
    a field of `graph_options.rewrite_options` of their ConfigProto that is ON, by the name of one of its
    `custom_optimizers`, by `tf.config.optimizer.set_experimental_options({name: True})`, or by an environment variable
    `TF_ENABLE_<NAME>` set to 1; a field that is OFF declines. The function takes an
    `ossia_core.session.compile.rewrites.Rewriting` and changes its nodes. What it refuses is an error of
    the run. Partial runs are not rewritten.

    No parameters. Rewrites apply in the order of the table: those of Ossia, then the others by their names.

    Example::

        @hookimpl
        def ossia_plan_rewrites():
            return {"drop_dropout": "ossia_frugal.rewrites:drop_dropout"}
    """


# Files


@hookspec
def ossia_checkpoint_formats() -> Mapping[str, str]:  # type: ignore[empty-body]
    """Checkpoint formats: subclasses of `ossia_checkpoint.formats.CheckpointFormat`.

    Called once, when a checkpoint is first opened or written.

    Returns a mapping of format names to `"module:Class"`. Reading asks each format whether a prefix is its own; writing
    uses the one that the saver names.

    No parameters. The formats of Ossia are asked first, then the others in the order of their names.

    Example::

        @hookimpl
        def ossia_checkpoint_formats():
            return {"safetensors": "ossia_safetensors.format:SafetensorsFormat"}
    """


@hookspec
def ossia_filesystems() -> Mapping[str, str]:  # type: ignore[empty-body]
    """File systems behind `tf.gfile` and everything that opens a path.

    Called once, when a path with a scheme is first used.

    Returns a mapping of URL schemes to `"module:Class"`, subclasses of `ossia_core.files.FileSystem`. Paths
    `<scheme>://...` go there; paths without a scheme are local files.

    No parameters. Ordering as for `ossia_api`.

    Example::

        @hookimpl
        def ossia_filesystems():
            return {"s3": "ossia_fsspec.filesystem:FsspecFileSystem"}
    """


# Kinds of data


@hookspec
def ossia_summary_kinds() -> Mapping[str, str]:  # type: ignore[empty-body]
    """Kinds of summaries.

    Called once, when `tf.summary` is first used.

    Returns a mapping of function names to `"module:function"`; each function builds a string tensor that holds a
    serialised `Summary`, and is served as `tf.summary.<name>`.

    No parameters. Ordering as for `ossia_api`.

    Example::

        @hookimpl
        def ossia_summary_kinds():
            return {"pr_curve": "ossia_pr_curve.summary:pr_curve"}
    """


@hookspec
def ossia_image_codecs() -> Mapping[str, str]:  # type: ignore[empty-body]
    """Image codecs behind `tf.image.decode_image` and the file readers.

    Called once, when an image is first decoded or encoded.

    Returns a mapping of format names to `"module:Class"`, each with `matches(header: bytes) -> bool`,
    `decode(data: bytes, channels: int) -> ndarray` (`[height, width, channels]`, uint8 or uint16) and
    `encode(image: ndarray) -> bytes`.

    No parameters. The codecs of Ossia are asked first, then the others in the order of their names.

    Example::

        @hookimpl
        def ossia_image_codecs():
            return {"webp": "ossia_webp.codec:WebpCodec"}
    """


@hookspec
def ossia_lite_lowerings() -> Mapping[str, str]:  # type: ignore[empty-body]
    """Lowerings of ops to TensorFlow Lite.

    Called once, when a graph is first converted.

    Returns a mapping of op types to `"module:function"`; the function takes the operation and the model under
    construction, and adds the operators that compute it.

    No parameters. The lowerings of Ossia come first; else ordering as for `ossia_api`.

    Example::

        @hookimpl
        def ossia_lite_lowerings():
            return {"Hardswish": "ossia_hardswish.lite:lower_hardswish"}
    """
