import copy
import re
import numpy as np
import tensorflow as tf
from google.protobuf import text_format
from tensorflow.core.framework import graph_pb2, node_def_pb2, attr_value_pb2, types_pb2, tensor_shape_pb2
from tensorflow.python.framework import graph_util, importer, tensor_util
from tensorflow.python.tools import optimize_for_inference_lib, strip_unused_lib

with tf.Graph().as_default() as g:
    tf.set_random_seed(6)
    x = tf.placeholder(tf.float32, [None, 6, 6, 2], name='x')
    keep = tf.placeholder_with_default(1.0, [], name='keep')
    net = tf.layers.conv2d(x, 3, 3, name='conv', use_bias=False)
    net = tf.layers.batch_normalization(net, training=False, name='bn')
    net = tf.nn.dropout(tf.identity(tf.nn.relu(net), name='act'), keep)
    out = tf.identity(tf.layers.dense(tf.layers.flatten(net), 2, name='fc'), name='out')
    dbg = tf.Print(out, [out], 'dbg')
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        frozen = graph_util.convert_variables_to_constants(sess, g.as_graph_def(), ['out'], variable_names_blacklist=['conv/kernel'])
        frozen = graph_util.convert_variables_to_constants(sess, g.as_graph_def(), ['out'])
        data = np.random.RandomState(0).rand(2, 6, 6, 2)
        want = sess.run(out, {x: data})
print(len(frozen.node), sorted(set(n.op for n in frozen.node)))
opt = optimize_for_inference_lib.optimize_for_inference(copy.deepcopy(frozen), ['x'], ['out'], types_pb2.DT_FLOAT)
strip = strip_unused_lib.strip_unused(copy.deepcopy(frozen), ['conv/Conv2D'], ['act'], types_pb2.DT_FLOAT)
print(len(opt.node), sorted(set(n.op for n in opt.node)), [n.name for n in strip.node][:4])


def run(gd, feed, fetch):
    with tf.Graph().as_default():
        tf.import_graph_def(gd, name='')
        with tf.Session() as s:
            return s.run(fetch, feed)


print(np.abs(run(opt, {'x:0': data}, 'out:0') - want).max() < 1e-4)
edited = graph_pb2.GraphDef()
edited.CopyFrom(frozen)
for node in edited.node:
    if node.op == 'Relu':
        node.op = 'Relu6'
    if node.name == 'fc/bias':
        arr = tensor_util.MakeNdarray(node.attr['value'].tensor)
        node.attr['value'].CopyFrom(attr_value_pb2.AttrValue(tensor=tensor_util.make_tensor_proto(arr + 1.0, arr.dtype, arr.shape)))
new = node_def_pb2.NodeDef(name='scaled', op='Mul', input=['out', 'two'])
new.attr['T'].type = types_pb2.DT_FLOAT
two = edited.node.add()
two.name, two.op = 'two', 'Const'
two.attr['dtype'].type = types_pb2.DT_FLOAT
two.attr['value'].tensor.CopyFrom(tf.make_tensor_proto(2.0))
edited.node.extend([new])
print(np.abs(run(edited, {'x:0': data}, 'scaled:0') - (want + 1) * 2).max() < 1e-4)
txt = text_format.MessageToString(edited)
back = text_format.Parse(txt, tf.GraphDef())
print(back == edited, len(txt) > 1000, back.versions.producer == frozen.versions.producer, tf.GraphDef.FromString(edited.SerializeToString()) == edited)
for mutate in (lambda d: d.node.extend([d.node[0]]), lambda d: d.node[3].input.append('ghost'), lambda d: setattr(d.node[0], 'name', 'bad name'), lambda d: d.node[0].attr['bogus'].CopyFrom(attr_value_pb2.AttrValue(i=3)), lambda d: [n.attr['T'].CopyFrom(attr_value_pb2.AttrValue(type=3)) for n in d.node if n.op == 'Mul'], lambda d: [n.input.pop() for n in d.node if n.op == 'Mul'][:0]):
    bad = copy.deepcopy(edited)
    mutate(bad)
    try:
        with tf.Graph().as_default():
            tf.import_graph_def(bad, name='imp')
        print('imported')
    except (ValueError, TypeError, tf.errors.OpError) as e:
        print(type(e).__name__, str(e).split('\n')[0][:120])
with g.as_default():
    consumers = {t.name: [c.name for c in t.consumers()] for t in [x, out]}
    print(consumers, x.op.outputs, out.value_index, out.op.type, g.get_tensor_by_name('act:0').op.inputs[0].op.name, len(list(out.op.inputs)))
    print(tf.graph_util.must_run_on_cpu(out.op) if hasattr(tf.graph_util, 'must_run_on_cpu') else '', g.is_feedable(x), g.is_fetchable(x.op), g.version == len(g.get_operations()), g.building_function, g.graph_def_versions.producer)
    g.prevent_feeding(out)
    print(g.is_feedable(out))
    for f in (lambda: g.get_tensor_by_name('act'), lambda: g.get_tensor_by_name('act:3'), lambda: g.get_operation_by_name('act:0'), lambda: g.get_tensor_by_name('zzz:0'), lambda: g.as_graph_element(3), lambda: g.get_operation_by_name(5), lambda: g.as_graph_element('act:0', allow_tensor=False), lambda: g.get_collection(3)):
        try:
            print(f())
        except (ValueError, KeyError, TypeError) as e:
            print(type(e).__name__, str(e)[:120])
    ops = [o for o in g.get_operations() if re.match('fc/', o.name)]
    print([o.name for o in ops][:6], g.unique_name('fc'), g.unique_name('fc', mark_as_used=False), g.unique_name('Fc'))
    out.op._set_attr('_note', attr_value_pb2.AttrValue(s=b'hey'))
    print(out.op.get_attr('_note'), out.op.get_attr('T'), out.op.node_def.op, out.op.op_def.name, out.op.traceback is not None, out.op.control_inputs, str(out.op)[:40])
