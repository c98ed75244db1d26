"""The update ops themselves, by reference and by handle: every one, its options, repeated and empty rows, and what they refuse."""
import numpy as np
from golden_case import Case, raises

SHAPE = (4, 3)
# Op -> names of further variables, inputs (None stands for the gradient), options.
DENSE = {
    "GradientDescent": ([], [("alpha", 0.1), ("delta", None)], [{}]),
    "Momentum": (["accum"], [("lr", 0.1), ("grad", None), ("momentum", 0.9)], [{}, {"use_nesterov": True}]),
    "Adagrad": (["accum"], [("lr", 0.1), ("grad", None)], [{}, {"update_slots": False}]),
    "AdagradV2": (["accum"], [("lr", 0.1), ("epsilon", 1e-3), ("grad", None)], [{}, {"update_slots": False}]),
    "AdagradDA": (["gradient_accumulator", "gradient_squared_accumulator"],
                  [("grad", None), ("lr", 0.1), ("l1", 0.05), ("l2", 0.02), ("global_step", 3)], [{}]),
    "Adadelta": (["accum", "accum_update"], [("lr", 1.0), ("rho", 0.9), ("epsilon", 1e-6), ("grad", None)], [{}]),
    "Adam": (["m", "v"], [("beta1_power", 0.81), ("beta2_power", 0.998), ("lr", 0.1), ("beta1", 0.9), ("beta2", 0.999), ("epsilon", 1e-8), ("grad", None)],
             [{}, {"use_nesterov": True}]),
    "AdaMax": (["m", "v"], [("beta1_power", 0.81), ("lr", 0.1), ("beta1", 0.9), ("beta2", 0.999), ("epsilon", 1e-8), ("grad", None)], [{}]),
    "Ftrl": (["accum", "linear"], [("grad", None), ("lr", 0.1), ("l1", 0.5), ("l2", 0.2), ("lr_power", -0.5)], [{}]),
    "FtrlV2": (["accum", "linear"], [("grad", None), ("lr", 0.1), ("l1", 0.5), ("l2", 0.2), ("l2_shrinkage", 0.3), ("lr_power", -0.7)], [{}]),
    "RMSProp": (["ms", "mom"], [("lr", 0.1), ("rho", 0.9), ("momentum", 0.5), ("epsilon", 1e-3), ("grad", None)], [{}]),
    "CenteredRMSProp": (["mg", "ms", "mom"], [("lr", 0.1), ("rho", 0.9), ("momentum", 0.5), ("epsilon", 10.0), ("grad", None)], [{}]),
    "ProximalAdagrad": (["accum"], [("lr", 0.1), ("l1", 0.3), ("l2", 0.2), ("grad", None)], [{}]),
    "ProximalGradientDescent": ([], [("alpha", 0.1), ("l1", 0.3), ("l2", 0.2), ("delta", None)], [{}]),
    "AddSign": (["m"], [("lr", 0.1), ("alpha", 1.0), ("sign_decay", 0.9), ("beta", 0.9), ("grad", None)], [{}]),
    "PowerSign": (["m"], [("lr", 0.1), ("logbase", 1.0), ("sign_decay", 0.9), ("beta", 0.9), ("grad", None)], [{}]),
}
NOT_SPARSE = ("GradientDescent", "Adam", "AdaMax", "AddSign", "PowerSign")
HANDLE_ONLY = {
    "KerasMomentum": (["accum"], [("lr", 0.1), ("grad", None), ("momentum", 0.9)], [{}, {"use_nesterov": True}]),
    "AdamWithAmsgrad": (["m", "v", "vhat"], [("beta1_power", 0.81), ("beta2_power", 0.998), ("lr", 0.1), ("beta1", 0.9), ("beta2", 0.999),
                                             ("epsilon", 1e-8), ("grad", None)], [{}]),
}


def numbers(seed, shape=SHAPE, dtype="float32"):
    return np.random.RandomState(seed).uniform(-2.0, 2.0, shape).astype(dtype)


def applied(tf, kind, spec, options, form, dtype="float32", rows=None, gradient=None, steps=2):
    names, inputs, _ = spec
    by_handle = form.startswith("Resource")
    held = [tf.Variable(numbers(1, dtype=dtype), name="var", use_resource=by_handle)]
    held += [tf.Variable(np.abs(numbers(2 + i, dtype=dtype)) + 0.5, name=name, use_resource=by_handle) for i, name in enumerate(names)]
    arguments = dict(options)
    for name, variable in zip(["var"] + names, held):
        arguments[name] = variable.handle if by_handle else variable._ref()
    for name, value in inputs:
        if value is None:
            shape = SHAPE if rows is None else (len(rows),) + SHAPE[1:]
            value = numbers(9, shape, dtype) if gradient is None else gradient
            if rows is not None:
                name = "grad"
                arguments["indices"] = np.array(rows, np.int64)
            arguments[name] = value
        else:
            arguments[name] = np.array(value, np.int64 if name == "global_step" else dtype)
    step = getattr(tf.raw_ops, form + kind)(**arguments)
    step = step if by_handle else step.op
    return Case(runs=[step] * steps + [list(held)])


for _kind, _spec in list(DENSE.items()) + list(HANDLE_ONLY.items()):
    for _number, _options in enumerate(_spec[2]):
        _forms = ["ResourceApply"] if _kind in HANDLE_ONLY else ["Apply", "ResourceApply"]
        if _kind not in NOT_SPARSE + ("AdamWithAmsgrad",):
            _forms += [form.replace("Apply", "SparseApply") for form in _forms]
        for _form in _forms:
            def _case(tf, kind=_kind, spec=_spec, options=_options, form=_form):
                return applied(tf, kind, spec, options, form, rows=[2, 0, 2, 2] if "Sparse" in form else None)
            globals()["case_%s%s_%d" % (_form.lower(), _kind.lower(), _number)] = _case

for _dtype in ("float64", "float16"):
    for _kind in ("Momentum", "Adam", "Adadelta", "Ftrl", "RMSProp"):
        def _case(tf, kind=_kind, dtype=_dtype):
            case = applied(tf, kind, DENSE[kind], {}, "Apply", dtype)
            case.tolerance = 1e-2 if dtype == "float16" else None
            return case
        globals()["case_%s_%s" % (_dtype, _kind.lower())] = _case

for _kind in ("GradientDescent", "Momentum", "Adam", "Adagrad", "RMSProp", "Ftrl"):
    def _case(tf, kind=_kind):
        gradient = np.array([[np.nan, np.inf, -np.inf], [0.0, 1e-30, 1e18], [1.0, 2.0, 3.0], [0.0, 0.0, 0.0]], "float32")
        return applied(tf, kind, DENSE[kind], {}, "Apply", gradient=gradient)
    globals()["case_special_" + _kind.lower()] = _case


def case_no_rows(tf):
    return applied(tf, "Momentum", DENSE["Momentum"], {}, "SparseApply", rows=[])


def case_adagrad_da_without_l1(tf):
    spec = (DENSE["AdagradDA"][0], [("grad", None), ("lr", 0.1), ("l1", 0.0), ("l2", 0.0), ("global_step", 1)], [{}])
    return applied(tf, "AdagradDA", spec, {}, "Apply")


def case_proximal_without_l1(tf):
    spec = ([], [("alpha", 0.1), ("l1", 0.0), ("l2", 0.2), ("delta", None)], [{}])
    return applied(tf, "ProximalGradientDescent", spec, {}, "ResourceApply")


def case_refused_shapes(tf):
    v, w = tf.Variable(numbers(1)), tf.Variable(numbers(1)[:2])
    r = tf.Variable(numbers(1), use_resource=True)
    descent, momentum = tf.raw_ops.ApplyGradientDescent, tf.raw_ops.SparseApplyMomentum
    rows = np.ones([2, 3], "float32")
    return [raises(descent, var=v._ref(), alpha=0.1, delta=np.ones([4, 2], "float32")), raises(descent, var=v._ref(), alpha=[0.1], delta=numbers(1)),
            raises(tf.raw_ops.ApplyMomentum, var=v._ref(), accum=w._ref(), lr=0.1, grad=numbers(1), momentum=0.1),
            raises(tf.raw_ops.ResourceApplyGradientDescent, var=r.handle, alpha=0.1, delta=np.ones([4, 2], "float32")),
            raises(momentum, var=v._ref(), accum=v._ref(), lr=0.1, grad=rows, indices=[1], momentum=0.1),
            raises(momentum, var=v._ref(), accum=v._ref(), lr=0.1, grad=rows[:, :2], indices=[0, 1], momentum=0.1),
            raises(momentum, var=v._ref(), accum=v._ref(), lr=0.1, grad=rows, indices=[[0, 1]], momentum=0.1)]


def _refused_run(form, name, value, **feeds):
    def case(tf):
        v, a = tf.Variable(numbers(1)), tf.Variable(numbers(2))
        fed = {key: tf.placeholder(item.dtype, name=key) for key, item in feeds.items()}
        arguments = dict({"lr": 0.1, "momentum": 0.9, "var": v._ref(), "accum": a._ref(), "grad": np.ones([2, 3], "float32"), "indices": [0, 1]}, **fed)
        if form == "ApplyMomentum":
            del arguments["indices"]
        return Case([getattr(tf.raw_ops, form)(**arguments)], feeds={fed[key]: item for key, item in feeds.items()})
    globals()["case_refused_" + name] = case


_refused_run("ApplyMomentum", "gradient_shape", None, grad=np.ones([2, 2], "float32"))
_refused_run("ApplyMomentum", "vector_rate", None, grad=np.ones(SHAPE, "float32"), lr=np.ones(2, "float32"))
_refused_run("SparseApplyMomentum", "row_beyond", None, indices=np.array([0, 4]))
_refused_run("SparseApplyMomentum", "row_negative", None, indices=np.array([0, -1]))
_refused_run("SparseApplyMomentum", "row_count", None, indices=np.array([0]))
_refused_run("SparseApplyMomentum", "row_rank", None, indices=np.array([[0, 1]]))
_refused_run("SparseApplyMomentum", "row_width", None, grad=np.ones([2, 2], "float32"))


def case_uninitialized(tf):
    v = tf.Variable(numbers(1))
    return Case(tf.raw_ops.ApplyGradientDescent(var=v._ref(), alpha=0.1, delta=numbers(2)), init=False)


def case_uninitialized_handle(tf):
    v = tf.Variable(numbers(1), use_resource=True)
    return Case(tf.raw_ops.ResourceApplyGradientDescent(var=v.handle, alpha=0.1, delta=numbers(2)), init=False)
