"""Every hook of Ossia, in one place: what a plugin can provide, and what that causes.

A plugin is a module named by an entry point of the group `ossia`:

    [project.entry-points.ossia]
    example = "ossia_example.plugin"

The module implements some of the hooks below, each marked with `hookimpl`. Ossia's own packages use the same hooks:
`ossia_core.plugins.api_table.provides` declares what goes through one, where it stands. `ossia plugins` shows what is
provided, and `ossia plugins optimizers` one kind of it.

Targets are strings `"module:attribute"`, imported when they are first used, so that a plugin costs nothing until then:
a plugin module should import nothing but `hookimpl` and its tables.

Ordering is pluggy's. The packages of Ossia are called first, then third parties in alphabetical order of their entry
points; what a program registers by itself comes before both, `tryfirst=True` goes to the front and `trylast=True` to
the end. A wrapper (`wrapper=True`) gets the list of all mappings in that order, and returns what takes its place.
`ossia_core.plugins.manager.registry()` is the pluggy manager, with `set_blocked` and whatever else it has. Where
several plugins provide the same name, the one that is called first has it, with a warning that names both; but a name
that a package of Ossia provides is always its own.

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

    No parameters. Ordering as above.

    Example::

        @hookimpl
        def ossia_api():
            return {"train.LionOptimizer": "ossia_lion.lion:LionOptimizer"}
    """


@hookspec
def ossia_optimizers() -> Mapping[str, str]:  # type: ignore[empty-body]
    """Optimizers: subclasses of `tf.train.Optimizer` that update variables themselves.

    One that only wraps another (a moving average, gradients of several machines) is a public name like any other.

    Called once, together with `ossia_api`.

    Returns a mapping of class names to `"module:Class"`. Each is served as `tf.train.<name>`, and the test kit's
    optimizer table runs over it.

    No parameters. Ordering as above.

    Example::

        @hookimpl
        def ossia_optimizers():
            return {"LionOptimizer": "ossia_lion.lion:LionOptimizer"}
    """


@hookspec
def ossia_schedules() -> Mapping[str, str]:  # type: ignore[empty-body]
    """Learning-rate schedules: functions that build a scalar tensor, the learning rate at a step.

    They take `(learning_rate, global_step, ...)`, or the step and a table.

    Called once, together with `ossia_api`.

    Returns a mapping of function names to `"module:function"`. Each is served as `tf.train.<name>`.

    No parameters. Ordering as above.

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

    No parameters. Ordering as above.

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

    No parameters. Ordering as above.

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

    No parameters. A gradient that stands with its op, or that a program registers, comes first.

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

    No parameters. Backends of equal priority are asked in the order in which the plugins are called.

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

    No parameters. Rewrites apply in the order in which the plugins are called.

    Example::

        @hookimpl
        def ossia_plan_rewrites():
            return {"drop_dropout": "ossia_frugal.rewrites:drop_dropout"}
    """


@hookspec
def ossia_engines() -> Mapping[str, str]:  # type: ignore[empty-body]
    """Engines of clusters: how the tasks of a cluster find and call each other.

    Called once, when a `tf.train.Server` of a cluster of several tasks is made, or a session names a target that is no
    server of this process.

    Returns a mapping of engine names to `"module:function"`; the function returns the engine, always the same one, an
    `ossia_distribute.engine.Engine`. `OSSIA_ENGINE=<name>`, or `<name>://<address>`, chooses one for tasks that other
    processes reach; a task is looked for in each.

    No parameters. Engines are asked in the order in which the plugins are called.

    Example::

        @hookimpl
        def ossia_engines():
            return {"loopback": "ossia_loopback.engine:engine"}
    """


@hookspec
def ossia_functions() -> Mapping[str, str]:  # type: ignore[empty-body]
    """Functions in graphs: how they are imported, called in plans, differentiated, and chosen by functional ops.

    Called once, when a graph first needs one of the roles.

    Returns a mapping of roles to `"module:attribute"`:

    - `import`: `f(graph, function_def)` takes a function of a GraphDef into the library of the graph, an object with
      `op` (the declaration of its calls), `definition` (the FunctionDef) and `gradient`.
    - `expansion`: `f(ops, fetches, feeds, check)` returns what stands for them in a plan, without calls, as an object
      with `ops`, `fetches`, `feeds` and `origin` (made node -> node of the program);
      `check()` raises if the run is over.
    - `call_gradient`, `loop_gradient`: gradient functions of calls, and of loops whose bodies are functions.
    - `cond`, `case`, `while_loop`: what `tf.cond`, `tf.switch_case` and `tf.while_loop` build where conditionals and
      loops are nodes that call functions.
    - `tensor_array`: the class of what `tf.TensorArray` makes there.
    - `scan`: `f(step, elements, initial, reverse)` builds a loop over the rows of tensors.
    - `watched_run`: `f(session, fetches, feed_dict, options, run_metadata)` runs and dumps what RunOptions watch.

    No parameters. Ordering as for `ossia_api`.

    Example::

        @hookimpl
        def ossia_functions():
            return {"expansion": "ossia_inliner.expansion:Inlined"}
    """


# Files


@hookspec
def ossia_checkpoint_formats() -> Mapping[str, str]:  # type: ignore[empty-body]
    """Checkpoint formats: subclasses of `ossia_checkpoint.formats.CheckpointFormat`.

    Called once, when a checkpoint is first looked for, opened, written or removed.

    Returns a mapping of format names to `"module:Class"`. Whoever reads or removes a checkpoint asks one format after
    the other whether it is of that format, and loads no class before it is asked; a saver writes the format that it
    names: `tf.train.Saver(write_version="safetensors")`.

    No parameters. Formats are asked in the order in which the plugins are called, but format V1, whose files have no
    ending, after all others.

    Example::

        @hookimpl
        def ossia_checkpoint_formats():
            return {"safetensors": "ossia_safetensors.format:SafetensorsFormat"}
    """


@hookspec
def ossia_filesystems() -> Mapping[str, str]:  # type: ignore[empty-body]
    """File systems behind `tf.gfile` and everything that opens a path.

    Called once, when a path with a scheme is first used.

    Returns a mapping of URL schemes to `"module:Class"`, subclasses of `ossia_core.files.FileSystem`, each made once,
    without arguments. Paths `<scheme>://...` go there; paths without a scheme are local files.

    No parameters. Ordering as above.

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

    No parameters. Ordering as above.

    Example::

        @hookimpl
        def ossia_summary_kinds():
            return {"pr_curve": "ossia_pr_curve.summary:pr_curve"}
    """


@hookspec
def ossia_image_codecs() -> Mapping[str, str]:  # type: ignore[empty-body]
    """Image codecs behind `tf.image.decode_image` and the file readers.

    Called once, when an image is first decoded or encoded.

    Returns a mapping of format names to `"module:Class"`, each made once, without arguments, with
    `matches(header: bytes) -> bool` (of at least the first 16 bytes, or of all), `decode(data: bytes, channels: int) ->
    ndarray` (`[height, width, channels]`, uint8 or uint16; 0 channels are those of the file; ValueError says what is
    wrong with the data) and `encode(image: ndarray) -> bytes`.

    No parameters. The first codec whose `matches` is true decodes, in the order in which the plugins are called.

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

    No parameters. Ordering as above.

    Example::

        @hookimpl
        def ossia_lite_lowerings():
            return {"Hardswish": "ossia_hardswish.lite:lower_hardswish"}
    """


# Trying it out


@hookspec
def ossia_samples() -> Mapping[str, str]:  # type: ignore[empty-body]
    """Samples: what the test kit tries out, and what has to come of it.

    Called once, when the test kit or a tool first asks for samples; a program never does.

    Returns a mapping of `"<kind>/<name>"` to `"module:attribute"`. The kind is the hook that provides the thing,
    without `ossia_` (`optimizers`, `schedules`, `session_hooks`, ...); the attribute is a mapping of reasons to
    dictionaries, whose keys the test kit tells at the beginning of the suite for the kind. The samples of an op stand
    beside it; where they do not, `"ops/<type>"` names the module (`"module:"`) that adds them.

    No parameters. Ordering as above.

    Example::

        @hookimpl
        def ossia_samples():
            return {"optimizers/LionOptimizer": "ossia_lion.samples:LION"}
    """
