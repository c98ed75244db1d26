"""ClusterSpec: jobs, tasks, addresses, and what is refused."""
from golden_case import raises


def _asked(spec):
    """Everything that a cluster says of itself."""
    found = {
        "jobs": sorted(map(str, spec.jobs)), "dict": str(sorted(spec.as_dict().items())), "bool": bool(spec),
        "def": str(spec.as_cluster_def()), "text": str(spec),
    }
    for job in ("ps", "worker", "none"):
        for method in ("num_tasks", "task_indices", "job_tasks"):
            ask = getattr(spec, method)
            found[f"{job} {method}"] = str(ask(job)) if job in spec.jobs else raises(lambda ask=ask, job=job: ask(job))
        for number in (0, 1, 5, -1):
            if job in spec.jobs and number in spec.task_indices(job):
                found[f"{job} {number}"] = spec.task_address(job, number)
            else:
                found[f"{job} {number}"] = raises(lambda job=job, number=number: spec.task_address(job, number))
    return found


def case_lists(tf):
    return _asked(tf.train.ClusterSpec({"ps": ["ps0:2222", "ps1:2222"], "worker": ["w0:1", "w1:2", "w2:3"]}))


def case_numbered(tf):
    return _asked(tf.train.ClusterSpec({"worker": {5: "w5:3", 1: "w1:2"}, "ps": {1: "b", 0: "a"}}))


def case_tuples(tf):
    return _asked(tf.train.ClusterSpec({"ps": ("x", "y")}))


def case_empty(tf):
    return _asked(tf.train.ClusterSpec({}))


def case_empty_jobs(tf):
    return [str(tf.train.ClusterSpec({"a": tasks})) for tasks in ([], {}, ())]


def case_bytes(tf):
    spec = tf.train.ClusterSpec({b"a": [b"x:1", "y:2"]})
    return [str(spec), str(spec.as_cluster_def()), spec.num_tasks(b"a")]


def case_negative(tf):
    spec = tf.train.ClusterSpec({"a": {-1: "y", 0: "z"}})
    return [str(spec), str(spec.task_indices("a")), spec.task_address("a", -1)]


def case_copies(tf):
    spec = tf.train.ClusterSpec({"ps": ["a"], "worker": {3: "b"}})
    return [str(tf.train.ClusterSpec(form)) for form in (spec, spec.as_cluster_def(), spec.as_dict())]


def case_equal(tf):
    make = tf.train.ClusterSpec
    spec = make({"a": ["x", "y"]})
    return [
        spec == make(spec), spec != make(spec), spec == make({"a": {0: "x", 1: "y"}}), spec == make({"a": ["x"]}),
        spec == spec.as_dict(), spec == spec.as_cluster_def(), spec == 3, spec != 3, make({}) == make({}),
    ]


def case_refused(tf):
    wrong = [
        3, None, "a", [("a", ["x"])], {"a": 3}, {"a": "xy"}, {"a": None}, {"a": [3]}, {"a": [None]}, {"a": {"x": "y"}},
        {"a": {1.5: "y"}}, {"a": {0: 3}}, {3: ["x"]},
    ]
    found = [raises(lambda cluster=cluster: tf.train.ClusterSpec(cluster)) for cluster in wrong]
    return [*found, raises(lambda: hash(tf.train.ClusterSpec({})))]
