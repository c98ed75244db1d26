"""Devices that are not there, and nodes that cannot be together: what a session refuses, needed by the run or not."""
import itertools

from golden_case import Case, says

CPU0, CPU1, GPU, PS, FOO = "/device:CPU:0", "/device:CPU:1", "/device:GPU:0", "/job:ps", "/device:FOO:0"
EXPLICIT = "was explicitly assigned to %s but available devices are"
GROUP = "colocated with a group of nodes that required incompatible device '%s'"


def _session(tf, soft=False):
    return tf.Session(config=tf.ConfigProto(allow_soft_placement=soft, device_count={"CPU": 2}))


def _verdicts(tf, build, patterns):
    """What a run of another node says, without and with soft placement."""
    found = []
    for soft in (False, True):
        with tf.Graph().as_default():
            build()
            fetch = tf.constant(1.0, name="fetch")
            with _session(tf, soft) as session:
                found += [says(pattern, session.run, fetch) for pattern in patterns]
    return found


def _at(tensor, device):
    getattr(tensor, "op", tensor)._set_device(device)
    return tensor


def case_unneeded_nodes(tf):
    def build(device):
        with tf.device(device):
            tf.constant(1.0, name="a")

    devices = [
        "/cpu:0", "/cpu:1", "/cpu:2", "/gpu:0", FOO, PS, "/job:localhost", "/replica:1", "/task:1", "/device:CPU:*",
        "/job:worker/task:1/cpu:0", "/job:localhost/replica:0/task:0/cpu:0", "/job:ps/gpu:0", "/device:TPU:0",
    ]
    patterns = ["Cannot assign a device for operation a: ", "appears to be a GPU", "specification refers to a valid device"]
    return Case([_verdicts(tf, lambda d=device: build(d), patterns) for device in devices], graph=False)


def case_what_is_refused_stays_refused(tf):
    found = []
    for soft in (False, True):
        with tf.Graph().as_default():
            one, given = tf.constant(1.0), tf.placeholder(tf.float32)
            product = one * given
            with _session(tf, soft) as session:
                found.append(says("", session.run, one))
                with tf.device("/gpu:0"):
                    tf.constant(2.0, name="b")
                wanted = EXPLICIT % GPU
                found += [says(wanted, session.run, one), says(wanted, session.run, one), says(wanted, session.run, [])]
                later = tf.constant(3.0)
                found += [says(wanted, session.run, later), says(wanted, session.run, product, {given: 1.0})]
                found += [says(wanted, session.make_callable, one)]
                found += [says(wanted, session.partial_run_setup, [product], [given])]
                found += [says("zz", session.run, "zz"), says("zz", session.run, one, {"zz:0": 1})]
            with _session(tf, soft) as session:
                found.append(says(wanted, session.run, one))
    return Case(found, graph=False)


def _pairs(tf, kind):
    def build(first, second):
        if kind == "reference":
            one = tf.raw_ops.VariableV2(shape=[], dtype=tf.float32, name="v")
            other = tf.raw_ops.Assign(ref=one, value=1.0, name="a")
        elif kind == "handed_on":
            one = tf.raw_ops.VariableV2(shape=[], dtype=tf.float32, name="v")
            other = tf.raw_ops.Identity(input=one, name="a")
        elif kind == "resource":
            one = tf.raw_ops.VarHandleOp(dtype=tf.float32, shape=[], name="v")
            other = tf.raw_ops.ReadVariableOp(resource=one, dtype=tf.float32, name="a")
        elif kind == "queue":
            one = tf.raw_ops.FIFOQueueV2(component_types=[tf.float32], name="v")
            other = tf.raw_ops.QueueEnqueueV2(handle=one, components=[1.0], name="a")
        else:
            one = tf.constant(1.0, name="v")
            with tf.get_default_graph().colocate_with(one):
                other = tf.constant(1.0, name="a")
        _at(one, first)
        _at(other, second)

    found = {}
    for first, second in itertools.permutations(["", CPU0, CPU1, GPU, PS, FOO], 2):
        patterns = ["was explicitly assigned to", "colocated with a group of nodes", "Cannot colocate nodes"]
        found[first + " " + second] = _verdicts(tf, lambda: build(first, second), patterns)  # noqa: B023
    return Case(found, graph=False)


def case_users_of_references(tf):
    return _pairs(tf, "reference")


def case_values_of_references(tf):
    return _pairs(tf, "handed_on")


def case_users_of_resources(tf):
    return _pairs(tf, "resource")


def case_users_of_queues(tf):
    return _pairs(tf, "queue")


def case_colocated(tf):
    return _pairs(tf, "colocated")


def case_two_resources(tf):
    def build(first, second, user, reads):
        variables = [
            _at(tf.raw_ops.VarHandleOp(dtype=tf.float32, shape=[], name=name), device)
            for name, device in (("v", first), ("w", second))
        ]
        for i, device in reads:
            _at(tf.raw_ops.ReadVariableOp(resource=variables[i], dtype=tf.float32, name="r%d" % i), device)
        _at(
            tf.raw_ops.ResourceApplyMomentum(
                var=variables[0], accum=variables[1], lr=1.0, grad=1.0, momentum=1.0, name="use"
            ),
            user,
        )

    full = "/job:localhost/device:CPU:0"
    rows = [
        (CPU0, CPU1, "", []), (CPU0, GPU, "", []), ("", "", "", [(0, CPU0), (1, CPU1)]), (CPU0, "", "", [(1, CPU1)]),
        (CPU0, full, "", []), ("/job:localhost", CPU1, "", []), ("/job:localhost", PS, "", []),
        (CPU1, "", CPU0, []), ("", CPU1, CPU0, []), ("", PS, CPU0, []), ("", "", PS, []), (CPU0, "", "", [(1, PS)]),
        ("", "", CPU0, [(1, PS), (0, GPU)]), ("", CPU1, "", [(0, CPU0)]), (CPU0, CPU0, GPU, []),
    ]
    patterns = [
        "connects colocation groups with incompatible resource devices", "were connected by a reference connection",
        "was explicitly assigned to", "colocated with a group of nodes",
    ]
    return Case([_verdicts(tf, lambda r=row: build(*r), patterns) for row in rows], graph=False)


def case_references_and_colocation(tf):
    def build(first, user, chained, with_variable, colocated):
        variable = _at(tf.raw_ops.VariableV2(shape=[], dtype=tf.float32, name="v"), first)
        assigned = _at(tf.raw_ops.Assign(ref=variable, value=1.0, name="a"), user)
        _at(tf.raw_ops.Assign(ref=assigned if chained else variable, value=1.0, name="b"), GPU)
        with tf.get_default_graph().colocate_with(variable if with_variable else assigned):
            _at(tf.constant(1.0, name="c"), colocated)

    rows = [
        (CPU0, CPU1, True, False, CPU1), (CPU0, CPU1, False, True, "/job:localhost/device:CPU:1"),
        (CPU0, CPU1, True, True, CPU0), ("", CPU1, False, False, CPU0), (CPU0, PS, True, False, "/job:localhost"),
    ]
    patterns = ["Cannot colocate nodes", "incompatible ids: ", "was explicitly assigned to"]
    return Case([_verdicts(tf, lambda r=row: build(*r), patterns) for row in rows], graph=False)


def case_several_colocated(tf):
    def build(*devices):
        first = _at(tf.constant(1.0, name="c0"), devices[0])
        for i, device in enumerate(devices[1:]):
            with tf.get_default_graph().colocate_with(first):
                _at(tf.constant(1.0, name="c%d" % (i + 1)), device)

    rows = [
        (PS, "/job:worker"), ("/job:ps/task:0", "/job:ps/task:1"), ("/replica:0", "/replica:1"), ("", CPU0, CPU1),
        ("", CPU0, GPU), ("", "/device:CPU:*", CPU1), ("/job:localhost/task:0", CPU1),
        ("", "/device:CPU:*", "/device:GPU:*"), ("", GPU, GPU), (GPU, "/device:GPU:1"),
    ]
    patterns = [
        "Cannot merge devices with incompatible jobs: '/job:worker' and '/job:ps'", "incompatible tasks: ",
        "incompatible replicas: ", "incompatible types: ", "incompatible ids: ", EXPLICIT % PS, GROUP % GPU,
        "operation c1: ",
    ]
    return Case([_verdicts(tf, lambda r=row: build(*r), patterns) for row in rows], graph=False)


def case_which_node_is_named(tf):
    def branch(kind):
        if kind == "order":
            for device in (PS, GPU, FOO):
                _at(tf.identity(tf.zeros([2]), name="x"), device)
            return
        first = tf.placeholder(tf.float32, name="c") if kind == "placeholder" else tf.constant(1.0, name="c")
        _at(first, GPU)
        if kind == "controls":
            with tf.control_dependencies([first]):
                tf.no_op()
        _at(tf.add(first, first, name="x") if kind == "twice" else tf.identity(first, name="x"), GPU)

    kinds = ["order", "value", "twice", "placeholder", "controls"]
    patterns = ["operation x: ", EXPLICIT % GPU, EXPLICIT % PS]
    return Case([_verdicts(tf, lambda k=kind: branch(k), patterns) for kind in kinds], graph=False)


def case_loops_and_functions(tf):
    def loop():
        def body(i):
            with tf.device("/gpu:0"):
                return i + 1

        tf.while_loop(lambda i: i < 3, body, [0])

    def queue():
        with tf.device("/cpu:0"):
            queue = tf.FIFOQueue(3, tf.float32, name="q")
        with tf.device("/cpu:1"):
            queue.enqueue(1.0)

    return Case([_verdicts(tf, build, ["while/add", EXPLICIT % GPU]) for build in (loop, queue)], graph=False)


def case_imported(tf):
    def build(*nodes):
        graph_def = tf.GraphDef()
        for name, device, groups in nodes:
            node = graph_def.node.add(name=name, op="NoOp", device=device)
            if groups:
                node.attr["_class"].list.s.extend(groups)
        tf.import_graph_def(graph_def, name="")
        return [op.device for op in tf.get_default_graph().get_operations()]

    def devices(*nodes):
        with tf.Graph().as_default():
            return build(*nodes)

    rows = [
        [("a", PS, [])], [("a", "/gpu:0", [])], [("a", "", [b"loc:@a"])], [("a", "", [b"other"])],
        [("a", "/cpu:0", []), ("b", "/cpu:1", [b"loc:@a"])], [("a", "/cpu:0", [b"loc:@b"]), ("b", "/cpu:1", [])],
        [("a", "/cpu:0", []), ("c", "/cpu:1", []), ("b", "", [b"loc:@a", b"loc:@c"])],
    ]
    patterns = ["was explicitly assigned to", "Cannot colocate nodes"]
    return Case({
        "runs": [_verdicts(tf, lambda r=row: build(*r), patterns) for row in rows],
        "devices": [devices(*row) for row in rows],
        "refused": [
            says("expects to be colocated with unknown node 'zz'", build, ("a", "", [b"loc:@zz"])),
            says("Unknown attribute: 'foo'", build, ("a", "/foo:0", [])),
            says("Unknown attribute", build, ("a", "nonsense", [])),
        ],
    }, graph=False)
