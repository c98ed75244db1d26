"""Graphs rewritten for quantized training."""
from golden_case import Case

_TABLE = {}


def _conv(tf, x, scope, act="relu6", norm=True, **kwargs):
    slim = tf.contrib.slim
    act = getattr(tf.nn, act) if act else None
    norm = slim.batch_norm if norm else None
    with slim.arg_scope([slim.batch_norm], is_training=kwargs.pop("training", True)):
        return slim.conv2d(x, 4, 3, activation_fn=act, normalizer_fn=norm, scope=scope, weights_initializer=tf.constant_initializer(0.3), **kwargs)


def _x(tf):
    return tf.reshape(tf.cos(tf.range(128.0)), [2, 4, 4, 4], name="x")


def _separable(tf, x):
    slim = tf.contrib.slim
    with slim.arg_scope([slim.batch_norm], is_training=True):
        return slim.separable_conv2d(x, None, 3, 1, normalizer_fn=slim.batch_norm, activation_fn=tf.nn.relu6, scope="s", weights_initializer=tf.constant_initializer(0.3))


def _dense(tf, x):
    slim = tf.contrib.slim
    return slim.fully_connected(slim.flatten(_conv(tf, x, "a", norm=False)), 3, scope="d", activation_fn=None, weights_initializer=tf.constant_initializer(0.1))


_MODELS = {
    "norm": lambda tf, x: _conv(tf, x, "a"),
    "norm_fixed": lambda tf, x: _conv(tf, x, "a", training=False),
    "separable": _separable,
    "dense": _dense,
    "bypass": lambda tf, x: tf.nn.relu(_conv(tf, x, "a", act=None) + x),
    "bypass_after": lambda tf, x: _conv(tf, tf.add(_conv(tf, x, "a", norm=False), x, name="m/add"), "b", norm=False),
    "bypass_linear": lambda tf, x: _conv(tf, _conv(tf, x, "a", act=None, norm=False) + x, "b", norm=False),
}
_CALLS = {
    "train": lambda q: q.create_training_graph(),
    "eval": lambda q: q.create_eval_graph(),
    "late": lambda q: q.experimental_create_training_graph(weight_bits=4, symmetric=True, quant_delay=1, freeze_bn_delay=2),
}


def _case(model, call):
    def build(tf):
        _MODELS[model](tf, _x(tf))
        _CALLS[call](tf.contrib.quantize)
        users = [op for op in tf.get_default_graph().get_operations() if op.type.startswith("FakeQuant")]
        return Case({op.name.replace("/", "_"): op.outputs[0] for op in users}, steps=1 if call != "late" else 2)

    return build


for _model in _MODELS:
    for _call in _CALLS:
        if _call != "late" or _model in ("norm", "dense"):
            globals()["case_%s_%s" % (_model, _call)] = _case(_model, _call)
