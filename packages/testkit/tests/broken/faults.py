"""Faults that are seeded into the sample distributions: what each changes in the source, and the check that finds it."""

from typing import NamedTuple


class Twins(NamedTuple):
    """The broken twins of one sample.

    Attributes:
        module: The module of the sample that is changed.
        attribute: What it registers.
        table: The hook that it registers it with, without `ossia_`.
        samples: The attribute of the module `samples`, empty if the sample has none.
        renamed: Changes that every twin needs; `{name}` is its name.
        faults: By name, the check that finds the fault, and texts with what stands in their place.
        distribution: The sample's name, if it is not that of its kind.
    """

    module: str
    attribute: str
    table: str
    samples: str
    renamed: dict[str, str]
    faults: dict[str, tuple[str, dict[str, str]]]
    distribution: str = ""


TWINS = {
    "backend": Twins("blocks", "Blocks", "backends", "", {'name = "blocks"': 'name = "{name}"'}, {
        "wrong_dtype": ("test_values", {"dtype=np.float64), np.float32)": "dtype=np.float64))"}),
        "returns_input": ("test_special_values", {
            "return in_blocks(compute, x)": "return x if (x > 0).all() else in_blocks(compute, x)"}),
        "changes_input": ("test_values", {"shifted = logits - ": "shifted = logits; shifted -= "}),
        "keeps_input": ("test_values", {
            "    def kernel(logits):\n": "    seen = {}\n\n    def kernel(logits):\n"
            "        if id(logits) not in seen:\n            seen[id(logits)] = logits, compute(logits)\n"
            "        return seen[id(logits)][1].copy()\n\n    def compute(logits):\n"}),
        "shared_buffer": ("test_values", {
            "BLOCK = 4096": "OUT = {}\nBLOCK = 4096",
            "np.empty(inputs[0].shape, np.float32)\n    flat":
                "OUT.setdefault(inputs[0].shape, np.empty(inputs[0].shape, np.float32))\n    flat"}),
        "nan_is_missing": ("test_special_values", {"where=y > x": "where=~(x > y)"}),
        "ignored_number": ("test_values", {'np.float32(node.get_attr("alpha"))': "np.float32(0.25)"}),
        "ignored_flag": ("test_values", {"keepdims=keep, dtype": "keepdims=False, dtype"}),
        "broadcast": ("test_values", {"*np.broadcast_arrays(x, y)": "x, np.resize(y, x.shape)"}),
        "last_element": ("test_lengths", {
            "stop = start + BLOCK": "stop = min(start + BLOCK, target.size // 8 * 8 if target.size > 8 else 8)",
            "np.empty(inputs[0].shape, np.float32)\n    flat": "np.zeros(inputs[0].shape, np.float32)\n    flat"}),
        "empty": ("test_hostile_inputs", {"if not logits.size:": "if False:"}),
        "error_class": ("test_hostile_inputs", {"raise ValueError(": "raise KeyError("}),
        "negative_axis": ("test_hostile_inputs", {"tuple(np.ravel(axes).tolist())": "tuple(abs(np.ravel(axes)).tolist())"}),
        "precision": ("test_special_values", {"dtype=np.float64)": "dtype=np.float16)"}),
        "strides": ("test_layouts", {
            "np.ascontiguousarray(array).reshape(-1)":
                "(array if array.base is None or array.base.size < array.size else array.base).reshape(-1)[:array.size]"}),
        "overflow": ("test_special_values", {"logits - logits.max(axis=-1, keepdims=True)": "logits"}),
    }),
    "op": Twins("hardswish", "", "ops", "HARDSWISH", {'"Hardswish(': '"{name}('}, {
        "WrongDtype": ("test_shapes_and_determinism", {".astype(features.dtype)": ".astype(np.float64)"}),
        "WrongShape": ("test_shapes_and_determinism", {"return unchanged(features)": "return (2, 2)"}),
        "ChangesInput": ("test_kernel", {"gate = np.clip(features + width": "features += 0.125; gate = np.clip(features + width"}),
        "ReturnsInput": ("test_kernel", {"return (features * gate)": "return features if (features >= 0).all() else (features * gate)"}),
        "ByChance": ("test_shapes_and_determinism", {"(features * gate)": "(features * gate * np.random.uniform(0.5, 1))"}),
        "WrongGradient": ("test_gradient", {"inside = (2 * x + width)": "inside = (x + width)"}),
        "GradientShape": ("test_gradient", {"return grad * slope": "return tf.reduce_sum(grad * slope)"}),
        "IgnoredNumber": ("test_gradient", {"gate = np.clip(": "width = 3.0; gate = np.clip("}),
        "WrongValues": ("test_values", {"/ (2 * width)\n    return (": "/ (1.5 * width)\n    return ("}),
        "Crashes": ("test_hostile_inputs", {"gate = np.clip(": "{True: 0}[features.ndim < 5]; gate = np.clip("}),
    }),
    "gradient": Twins("straight_through", "straight_through", "gradients", "STRAIGHT_THROUGH", {}, {
        "None": ("test_values", {"return tf.where": "return None and tf.where"}),
        "WrongValues": ("test_values", {"<= 1": "<= 2"}),
        "WrongShape": ("test_values", {"return tf.where(": "return tf.reduce_sum(", ", grad, tf.zeros_like(grad))": "* grad)",
                                        "tf.abs(x) <= 1": "tf.cast(tf.abs(x) <= 1, grad.dtype) "}),
        "IgnoresGrad": ("test_in_a_chain", {", grad, ": ", tf.ones_like(grad), "}),
        "SingleOnly": ("test_values", {"<= 1": '<= tf.constant(1, "float32")'}),
        "ByChance": ("test_values", {", grad, ": ", grad * tf.random_uniform([], dtype=grad.dtype), "}),
    }),
    "plan-rewrite": Twins("exact_sums", "exact_sums", "plan_rewrites", "EXACT_SUMS", {}, {
        "idle": ("test_nodes", {'op.type not in ("Sum", "Mean")': 'op.type not in ("Total",)'}),
        "fetched": ("test_values", {" or op in rewriting.kept": ""}),
        "sums_alone": ("test_values", {'op.type not in ("Sum", "Mean")': 'op.type != "Sum"'}),
        "not_back": ("test_values", {"rewriting.set_input(reader, position, single.outputs[0])": "pass"}),
        "in_the_graph": ("test_graph_is_left_alone", {
            "    readers = {}": "    tf.negative(rewriting.ops[0].outputs[0].graph.get_operations()[0].outputs[0])\n    readers = {}"}),
    }),
    "optimizer": Twins("lion", "LionOptimizer", "optimizers", "LION", {}, {
        "Uphill": ("test_formula", {"tf.assign_sub(": "tf.assign_add("}),
        "NoDecay": ("test_formula", {"self._weight_decay * var": "0 * var"}),
        "SlotFirst": ("test_formula", {"keep = tf.assign(momentum, self._beta2": "keep = tf.assign(momentum, self._beta1"}),
        "SingleOnly": ("test_formula", {"tf.cast(self._learning_rate_tensor, var.dtype.base_dtype)": "self._learning_rate_tensor"}),
        "SparseLast": ("test_formula", {
            "tf.IndexedSlices(grad, indices, tf.shape(handle))": "tf.IndexedSlices(grad[:1], indices[:1], tf.shape(handle))"}),
        "NoSparse": ("test_formula", {"    def _apply_sparse(": "    def _apply_rows("}),
        "NotSaved": ("test_slots", {'self._zeros_slot(variable, "momentum", self._name)':
            'self._slot_dict("momentum")[(variable.graph, variable.op.name)] = tf.Variable('
            'tf.zeros_like(variable.initialized_value()), name=variable.op.name + "/Lion", trainable=False, '
            'collections=["local_variables"])'}),
        "RateOnce": ("test_learning_rate_changes", {
            "tf.convert_to_tensor(self._learning_rate, name": "tf.convert_to_tensor(0.1, name"}),
        "Trained": ("test_slots", {'self._zeros_slot(variable, "momentum", self._name)':
            'self._zeros_slot(variable, "momentum", self._name); '
            'tf.add_to_collection("trainable_variables", self.get_slot(variable, "momentum"))'}),
    }),
    "schedule": Twins("one_cycle", "one_cycle_decay", "schedules", "ONE_CYCLE", {}, {
        "never_ends": ("test_formula", {"tf.minimum(tf.cast(global_step, rate.dtype), steps)": "tf.cast(global_step, rate.dtype)"}),
        "one_late": ("test_formula", {"tf.cast(global_step, rate.dtype)": "tf.cast(global_step - 1, rate.dtype)"}),
        "single_only": ("test_double", {"steps = tf.cast(decay_steps, rate.dtype)": "steps = tf.constant(decay_steps, tf.float32)"}),
        "out_of_scope": ("test_name", {"tf.name_scope(name, ": "tf.name_scope(None, "}),
        "vector": ("test_formula", {"return tf.multiply(rate, ": "return tf.multiply([rate], "}),
        "no_step": ("test_step_is_needed", {"if global_step is None:": "global_step = global_step or 0\n    if False:"}),
        "counts": ("test_formula", {"    if global_step is None:":
            "    tf.Variable(0, name='count')\n    if global_step is None:"}),
        "by_chance": ("test_graph_travels", {"return tf.multiply(rate, ": "return tf.multiply(rate * tf.random_uniform([]), "}),
    }),
    "session-hook": Twins("early_stopping", "EarlyStoppingHook", "session_hooks", "EARLY_STOPPING", {}, {
        "OneLate": ("test_loop", {"self._waited >= self._patience": "self._waited > self._patience"}),
        "NeverBetter": ("test_loop", {"self._best, self._waited = value, 0\n            return": "pass"}),
        "NotAnew": ("test_used_again", {
            "        self._best, self._waited = None, 0\n": "",
            "self._value, self._patience": "self._best, self._waited = None, 0\n        self._value, self._patience"}),
        "Answer": ("test_answers", {"return tf.train.SessionRunArgs(self._tensor)": "return self._tensor"}),
        "OwnRun": ("test_loop", {"value = run_values.results": 'value = run_context.session.run("AssignAdd:0") * 0 + run_values.results'}),
        "AllValues": ("test_two_of_a_kind", {
            "return tf.train.SessionRunArgs(self._tensor)": "run_context.original_args; return tf.train.SessionRunArgs("
            '{"step": self._tensor}, {"AssignAdd:0": 0})'}),
        "Ends": ("test_loop", {"    def after_run(": "    def after_create_session(self, session, coord):\n"
            "        coord.request_stop()\n\n    def after_run("}),
        "Late": ("test_loop", {'        self._best, self._waited = None, 0\n': '        self._best, self._waited = None, 0\n\n'
            '    def after_create_session(self, session, coord):\n        tf.constant(1)\n'}),
    }),
    "filesystem": Twins("filesystem", "FsspecFileSystem", "filesystems", "", {
        "fsspec.core.url_to_fs(path)": 'fsspec.core.url_to_fs("memory://" + path.partition("://")[2])'}, {
        "append": ("test_modes", {'if "a" in mode and not system.exists(name):': 'if "a" in mode:'}),
        "classes": ("test_missing", {"FileNotFoundError: tf.errors.NotFoundError": "KeyError: tf.errors.NotFoundError"}),
        "untranslated": ("test_missing", {"except (OSError, ValueError) as error:": "except KeyError as error:"}),
        "paths": ("test_directories", {'.rpartition("/")[2] for': " for"}),
        "halves": ("test_bytes", {'FileStatistics(found["size"] or 0': 'FileStatistics((found["size"] or 0) // 2'}),
        "folders": ("test_a_directory_is_no_file", {"            needs_file(system, name)\n            system.rm_file": "            system.rm_file"}),
        "copies": ("test_rename", {"system.mv(": "system.copy("}),
        "seconds": ("test_statistics", {"int(seconds * 1e9)": "int(seconds)"}),
        "trees": ("test_directories", {"if self.list_directory(path):": "if False:", "system.rmdir(name)": "system.rm(name, recursive=True)"}),
        "again": ("test_directories", {"if system.exists(name):\n                raise FileExists": "if system.exists(name):\n                return\n                raise FileExists"}),
    }),
    "checkpoint-format": Twins("format", "SafetensorsFormat", "checkpoint_formats", "SAFETENSORS", {}, {
        "Flattened": ("test_round_trip", {"return Entry(dtype, shape), begin": "return Entry(dtype, (math.prod(shape),)), begin"}),
        "Strided": ("test_special_values", {"np.ascontiguousarray(array, array.dtype.newbyteorder(\"<\")).tobytes()": 'array.tobytes("A")[::-1][::-1] if array.flags.forc else array.base.tobytes()[:array.nbytes]'}),
        "Unordered": ("test_names", {"sorted(header.items())": "header.items()"}),
        "ReadOnly": ("test_round_trip", {"        return array\n": "        array.flags.writeable = False\n        return array\n"}),
        "InPlace": ("test_visible_when_finished", {"super().__init__()\n": 'super().__init__()\n        open(path, "wb").close()\n'}),
        "Remains": ("test_abandoned", {"super().__init__()\n": 'super().__init__()\n        open(path + ".tmp", "wb").close()\n'}),
        "NotThere": ("test_missing", {"raise absent_tensor(name)": 'raise KeyError(name)'}),
        "Neighbours": ("test_files", {"matching(prefix if prefix.endswith(ENDING) else prefix + ENDING)": 'matching(prefix + "*" + ENDING)'}),
        "Twice": ("test_same_name_twice", {'if name in self.header or name == "__metadata__":': "if False:"}),
        "Torn": ("test_torn_files", {
            "or self.start + end > self.length": "", "!= array.nbytes": "> array.nbytes", "np.empty(": "np.zeros("}),
        "Unchecked": ("test_hostile_files", {"if not 2 <= size <= min(length - 8, MAX_HEADER):": "if False:", "(ValueError, TypeError, KeyError, AttributeError, RecursionError)": "KeyError"}),
    }, "ossia-example-safetensors"),
    "summary-kind": Twins("spread", "spread", "summary_kinds", "SPREAD", {}, {
        "swapped": ("test_values", {'"least": tf.reduce_min': '"least": tf.reduce_max'}),
        "untagged": ("test_scopes", {"collections=[]) for tag": "collections=[], family='spread') for tag"}),
        "twice": ("test_collections", {"(tag, value, collections=[])": "(tag, value)"}),
        "deaf": ("test_collections", {"[tf.GraphKeys.SUMMARIES] if collections is None else collections": "[tf.GraphKeys.SUMMARIES]"}),
        "integers": ("test_values", {"numbers = tf.cast(tensor, tf.float32)": "numbers = tf.cast(tf.cast(tensor, tf.int32), tf.float32)"}),
        "unclean": ("test_scopes", {"""re.sub(r"[^-/\\w.]", "_", name)""": "name"}),
        "strings": ("test_values", {"    return merged": "    return tf.stack([merged])"}),
    }),
}
