"""A small graph looked into, rewired and copied with `tf.contrib.graph_editor`."""
import numpy as np
from golden_case import Case, raises


def _names(x):
    """Names of what is in lists; sets and dictionaries in the order of names."""
    if type(x).__name__ == "ListView":
        x = list(x)
    if isinstance(x, dict):
        return sorted([_names(key), _names(value)] for key, value in x.items())
    if isinstance(x, (list, tuple)):
        return [_names(each) for each in x]
    return getattr(x, "name", x)


def _graph(tf):
    a, b = tf.constant([1.0, 2.0], name="a"), tf.constant([3.0, 4.0], name="b")
    c, d = tf.add(a, b, name="foo/c"), tf.constant([5.0, 6.0], name="d")
    e, f, g = tf.add(c, d, name="foo/bar/e"), tf.add(c, d, name="bar/f"), tf.add(c, a, name="bar/g")
    with tf.control_dependencies([c.op]):
        h = tf.add(f, g, name="bar/h")
    return tf.contrib.graph_editor, tf.get_default_graph(), a, b, c, d, e, f, g, h


def case_selected(tf):
    ge, graph, a, b, c, d, e, f, g, h = _graph(tf)
    return Case(_names([
        ge.select_ops("foo/.*", graph=graph), ge.select_ts("foo/.*:0", graph=graph), ge.select_ops("^foo/c$", "bar/f", graph=graph),
        ge.select_ops_and_ts("(?#ops)^foo/", "(?#ts)^bar/", graph=graph), ge.select_ops([a.op, b.op], e.op), ge.select_ops(graph),
        ge.select_ops("bar", graph=graph, positive_filter=lambda op: op.name.endswith("f")), ge.select_ops("^bar/h", graph=graph, restrict_ops_regex=True),
        raises(lambda: ge.select_ops("foo")), raises(lambda: ge.select_ops("foo", bad=1)), ge.filter_ops_from_regex(graph, "foo"),
        ge.filter_ts_from_regex(graph, "foo"), ge.filter_ops([a.op, c.op], lambda op: op.name == "a"), ge.filter_ts(graph, True),
        ge.get_name_scope_ops(graph, "foo"), ge.get_name_scope_ops(graph, "foo/bar/"), ge.compute_boundary_ts([c.op, e.op]),
        ge.compute_boundary_ts(ge.select_ops("^bar", graph=graph)), ge.get_within_boundary_ops(graph, [c.op], [h.op]),
        ge.get_within_boundary_ops(graph, [c.op], [h.op], inclusive=False, control_inputs=True),
    ]))


def case_walked(tf):
    ge, graph, a, b, c, d, e, f, g, h = _graph(tf)
    return [sorted(_names(ops)) for ops in (
        ge.get_forward_walk_ops([c.op]), ge.get_forward_walk_ops(c, inclusive=False), ge.get_forward_walk_ops([a.op], within_ops=[a.op, c.op, g.op]),
        ge.get_forward_walk_ops([a.op], stop_at_ts=[c]), ge.get_forward_walk_ops([d.op], control_outputs=ge.ControlOutputs(graph)),
        ge.get_backward_walk_ops([h.op]), ge.get_backward_walk_ops(h.op, inclusive=False, stop_at_ts=[c]),
        ge.get_backward_walk_ops([h.op], within_ops=[h.op, f.op, c.op], control_inputs=True), ge.get_backward_walk_ops([h], within_ops_fn=lambda op: "bar" in op.name),
        ge.get_walks_intersection_ops([c.op], [f.op]), ge.get_walks_intersection_ops(a, h, forward_inclusive=False), ge.get_walks_union_ops([c.op], [f.op]),
        ge.get_ops_ios([c.op, h.op]), ge.get_ops_ios([c.op, h.op], control_inputs=True), ge.get_tensors(graph), ge.get_generating_ops([c, d]), ge.get_consuming_ops([c, d]),
        ge.make_list_of_op([c, d.op], ignore_ts=True), ge.make_list_of_t([c, d.op], ignore_ops=True),
    )] + [raises(lambda: ge.make_list_of_op(graph, allow_graph=False))]


def case_view(tf):
    ge, graph, a, b, c, d, e, f, g, h = _graph(tf)
    view, passed = ge.sgv([c.op, e.op]), ge.sgv(c)
    return _names([
        view.ops, view.inputs, view.outputs, view.passthroughs, view.connected_inputs, view.connected_outputs, view.remap_inputs([1, 0]).inputs,
        view.remap_outputs([0, 0]).outputs, view.remap([0], [0]).inputs, raises(lambda: view.remap_inputs([7])), view.input_index(a), view.output_index(c),
        view.is_passthrough(c), view.find_op_by_name("foo/c"), view.op(1), sorted(_names(view.consumers())), view.remap_outputs_to_consumers().outputs,
        passed.ops, passed.inputs, passed.outputs, passed.passthroughs, ge.make_view_from_scope("foo", graph).ops, bool(ge.SubGraphView()),
    ])


def case_placeholders(tf):
    ge, graph, a, b, c, d, e, f, g, h = _graph(tf)
    return [ge.placeholder_name(c), ge.placeholder_name(c, scope=""), ge.placeholder_name(c, scope="z"), ge.make_placeholder_from_tensor(c).name]


def _rewired(change):
    def case(tf):
        made = _graph(tf)
        change(*made)
        return list(made[-4:])

    return case


case_rerouted = _rewired(lambda ge, graph, a, b, c, d, e, f, g, h: ge.reroute_ts([d], [c]))
case_rerouted_some = _rewired(lambda ge, graph, a, b, c, d, e, f, g, h: ge.reroute_ts([d], [c], can_modify=[e.op]))
case_rerouted_others = _rewired(lambda ge, graph, a, b, c, d, e, f, g, h: ge.reroute_ts([d], [c], cannot_modify=[e.op]))
case_swapped = _rewired(lambda ge, graph, a, b, c, d, e, f, g, h: ge.swap_ts([a], [d]))
case_rerouted_inputs = _rewired(lambda ge, graph, a, b, c, d, e, f, g, h: ge.reroute_inputs(ge.sgv(f.op), ge.sgv(g.op)))
case_swapped_outputs = _rewired(lambda ge, graph, a, b, c, d, e, f, g, h: ge.swap_outputs(ge.sgv(f.op), ge.sgv(g.op)))
case_swapped_both = _rewired(lambda ge, graph, a, b, c, d, e, f, g, h: ge.swap_ios(ge.sgv(f.op), ge.sgv(g.op)))
case_connected = _rewired(lambda ge, graph, a, b, c, d, e, f, g, h: ge.connect(ge.sgv(b.op), ge.sgv(g.op).remap_inputs([0])))
case_connected_wrongly = _rewired(lambda ge, graph, a, b, c, d, e, f, g, h: ge.connect(ge.sgv(b.op), ge.sgv(g.op)))
case_waiting = _rewired(lambda ge, graph, a, b, c, d, e, f, g, h: (ge.add_control_inputs(g.op, [d.op, b.op]), ge.remove_control_inputs(h.op, c.op)))
case_not_waiting = _rewired(lambda ge, graph, a, b, c, d, e, f, g, h: ge.remove_control_inputs(h.op, d.op))


def _detached(change):
    def case(tf):
        made = _graph(tf)
        return Case(_names(change(*made)))

    return case


case_detached = _detached(lambda ge, graph, a, b, c, d, e, f, g, h: ge.detach(ge.sgv(c.op))[1:])
case_detached_inputs = _detached(lambda ge, graph, a, b, c, d, e, f, g, h: ge.detach_inputs(ge.sgv(e.op), control_inputs=True)[1])
case_detached_outputs = _detached(lambda ge, graph, a, b, c, d, e, f, g, h: ge.detach_outputs(ge.sgv(c.op))[1])
case_bypassed = _detached(lambda ge, graph, a, b, c, d, e, f, g, h: ge.bypass(ge.sgv(c.op).remap_inputs([0]))[1])


def case_copied(tf):
    ge, graph, a, b, c, d, e, f, g, h = _graph(tf)
    view, info = ge.copy(ge.sgv("foo", graph=graph), dst_scope="new")
    return _names([view.ops, view.inputs, view.outputs, info.transformed(c), info.original(info.transformed(c)), info.transformed(h)])


def case_copied_elsewhere(tf):
    ge, graph, a, b, c, d, e, f, g, h = _graph(tf)
    other = tf.Graph()
    ge.copy(ge.sgv(graph), other, "z")
    again, _ = ge.copy(ge.sgv(c.op), src_scope="foo", dst_scope="z", reuse_dst_scope=True)
    return _names([other.get_operations(), [op.control_inputs for op in other.get_operations()], again.ops])


def case_copied_with_others(tf):
    ge, graph, a, b, c, d, e, f, g, h = _graph(tf)
    _, info = ge.copy_with_input_replacements(ge.sgv(c.op, f.op), {a: tf.constant([9.0, 9.0])}, dst_scope="r")
    return info.transformed(f)


def case_replaced(tf):
    ge, graph, a, b, c, d, e, f, g, h = _graph(tf)
    x = tf.constant(np.array([9, 9], np.float32), name="x")
    new = ge.graph_replace(h, {a: x})
    return [new, ge.graph_replace([h, e], {c: x}, dst_scope="z"), ge.graph_replace({"k": e}, {c: x})]


def case_not_connected(tf):
    ge, graph, a, b, c, d, e, f, g, h = _graph(tf)
    return ge.graph_replace(c, {h: a})


def case_transformed(tf):
    ge, graph, a, b, c, d, e, f, g, h = _graph(tf)
    view, _ = ge.Transformer()(ge.sgv(c.op, g.op), graph, "t", "")
    return _names([view.ops, view.inputs, view.outputs])
