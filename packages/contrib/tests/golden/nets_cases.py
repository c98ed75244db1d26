"""Networks of slim: what they are made of, as a digest of all nodes; collections and end points."""
import hashlib


def digest(tf, end_points):
    """A line for each node, hashed by tens so that a difference can be found; variables and end points in full."""
    lines = ["%s %s %s" % (op.type, op.name, [each.name for each in op.inputs]) for op in tf.get_default_graph().get_operations()]
    parts = [hashlib.md5("\n".join(lines[at:at + 100]).encode()).hexdigest()[:8] for at in range(0, len(lines), 100)]
    losses = [loss.name for loss in tf.losses.get_regularization_losses()]
    ends = sorted((key, value.name, str(value.shape)) for key, value in end_points.items())
    variables = ["%s %s" % (each.op.name, each.shape) for each in tf.global_variables()]
    return [len(lines), parts, hashlib.md5(str(variables).encode()).hexdigest(), len(variables), losses[:5], len(losses), ends, len(tf.get_collection("update_ops"))]


def built(tf, module, name, size, scope=None, **options):
    from tensorflow.contrib.slim import nets
    module = getattr(nets, module)
    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32, [2, size, size, 3])
        if scope is None:
            return digest(tf, getattr(module, name)(x, **options)[1])
        with tf.contrib.slim.arg_scope(getattr(module, scope)()):
            return digest(tf, getattr(module, name)(x, **options)[1])


def case_vgg(tf):
    return [built(tf, "vgg", "vgg_a", 224, "vgg_arg_scope"), built(tf, "vgg", "vgg_16", 224, "vgg_arg_scope", num_classes=5, is_training=False), built(tf, "vgg", "vgg_19", 256, spatial_squeeze=False)]


def case_alexnet_and_overfeat(tf):
    return [built(tf, "alexnet", "alexnet_v2", 224, "alexnet_v2_arg_scope"), built(tf, "overfeat", "overfeat", 231, "overfeat_arg_scope")]


def case_resnet_v1(tf):
    return [built(tf, "resnet_v1", "resnet_v1_50", 224, "resnet_arg_scope", num_classes=7), built(tf, "resnet_v1", "resnet_v1_50", 65, "resnet_arg_scope", global_pool=False, output_stride=8)]


def case_resnet_v2(tf):
    return [built(tf, "resnet_v2", "resnet_v2_50", 224, "resnet_arg_scope", num_classes=7, is_training=False), built(tf, "resnet_v2", "resnet_v2_50", 65, "resnet_arg_scope", output_stride=16)]


def case_inception_v1(tf):
    return [built(tf, "inception", "inception_v1", 224, "inception_v1_arg_scope")]


def case_inception_v2(tf):
    return [built(tf, "inception", "inception_v2", 224, "inception_v2_arg_scope", num_classes=10), built(tf, "inception", "inception_v2_base", 128, final_endpoint="Mixed_4a", depth_multiplier=0.5)]


def case_inception_v3(tf):
    return [built(tf, "inception", "inception_v3", 299, "inception_v3_arg_scope", num_classes=10), built(tf, "inception", "inception_v3_base", 128, final_endpoint="Mixed_6a")]


def case_small(tf):
    from tensorflow.contrib.slim.python.slim.nets import resnet_utils, resnet_v2
    slim = tf.contrib.slim
    with slim.arg_scope(resnet_utils.resnet_arg_scope()):
        blocks = [resnet_v2.resnet_v2_block("block1", 2, 2, 2), resnet_utils.Block("block2", resnet_v2.bottleneck, [{"depth": 8, "depth_bottleneck": 2, "stride": 1}])]
        return resnet_v2.resnet_v2(tf.ones([1, 9, 9, 3]), blocks, 3, is_training=False, scope="small")


def case_unknown_end_point(tf):
    from tensorflow.contrib.slim.python.slim.nets import inception_v3
    return inception_v3.inception_v3_base(tf.ones([1, 75, 75, 3]), final_endpoint="none")


def case_stride_out_of_reach(tf):
    from tensorflow.contrib.slim.nets import resnet_v1
    return resnet_v1.resnet_v1_50(tf.ones([1, 33, 33, 3]), output_stride=6)
