"""Golden cases: the ops of tensor lists, stacks, old TensorArrays and functional ops by their raw names."""
import numpy as np
from golden_case import Case, raises, says


def _reserve(tf, shape=(), count=3, dtype=None):
    return tf.raw_ops.TensorListReserve(
        element_shape=tf.constant(list(shape), tf.int32) if shape is not None else -1, num_elements=count,
        element_dtype=dtype or tf.float32)


def _empty(tf, shape=(), most=-1):
    return tf.raw_ops.EmptyTensorList(element_shape=tf.constant(list(shape), tf.int32) if shape is not None else -1,
                                      max_num_elements=most, element_dtype=tf.float32)


def _stack(tf, handle, shape=(), count=-1):
    return tf.raw_ops.TensorListStack(
        input_handle=handle, element_shape=tf.constant(list(shape), tf.int32) if shape is not None else -1,
        element_dtype=tf.float32, num_elements=count)


def case_push_pop(tf):
    h = _empty(tf)
    for v in (1.0, 2.0, 3.0):
        h = tf.raw_ops.TensorListPushBack(input_handle=h, tensor=v)
    rest, last = tf.raw_ops.TensorListPopBack(input_handle=h, element_shape=tf.constant([], tf.int32),
                                              element_dtype=tf.float32)
    return [last, _stack(tf, rest), _stack(tf, h), tf.raw_ops.TensorListLength(input_handle=rest),
            tf.raw_ops.TensorListElementShape(input_handle=h, shape_type=tf.int32)]


def case_versions(tf):
    a = _empty(tf)
    b = tf.raw_ops.TensorListPushBack(input_handle=a, tensor=1.0)
    c = tf.raw_ops.TensorListPushBack(input_handle=b, tensor=2.0)
    d = tf.raw_ops.TensorListPushBack(input_handle=b, tensor=3.0)
    e = tf.raw_ops.TensorListSetItem(input_handle=c, index=0, item=9.0)
    f = tf.raw_ops.TensorListSetItem(input_handle=e, index=1, item=8.0)
    return [_stack(tf, x) for x in (c, d, e, f, b, c, a, d)]


def case_full(tf):
    h = tf.raw_ops.TensorListPushBack(input_handle=_empty(tf, most=1), tensor=1.0)
    return Case(_stack(tf, tf.raw_ops.TensorListPushBack(input_handle=h, tensor=1.0)))


def case_pop_empty(tf):
    return tf.raw_ops.TensorListPopBack(input_handle=_empty(tf), element_shape=tf.constant([], tf.int32),
                                        element_dtype=tf.float32)[1]


def case_reserve(tf):
    h = tf.raw_ops.TensorListSetItem(input_handle=_reserve(tf, (2,)), index=1, item=[1.0, 2.0])
    return [_stack(tf, h, (2,)), tf.raw_ops.TensorListGetItem(
        input_handle=h, index=0, element_shape=tf.constant([2], tf.int32), element_dtype=tf.float32)]


def case_reserve_unknown(tf):
    h = tf.raw_ops.TensorListSetItem(input_handle=_reserve(tf, None), index=1, item=[1.0, 2.0])
    return _stack(tf, h, None)


def case_get_outside(tf):
    return tf.raw_ops.TensorListGetItem(input_handle=_reserve(tf), index=5, element_shape=tf.constant([], tf.int32),
                                        element_dtype=tf.float32)


def case_set_outside(tf):
    return _stack(tf, tf.raw_ops.TensorListSetItem(input_handle=_reserve(tf), index=-1, item=1.0))


def case_set_other_shape(tf):
    return _stack(tf, tf.raw_ops.TensorListSetItem(input_handle=_reserve(tf), index=0, item=[1.0]))


def case_set_other_dtype(tf):
    return _stack(tf, tf.raw_ops.TensorListSetItem(input_handle=_reserve(tf), index=0, item=1))


def case_stack_count(tf):
    return [_stack(tf, _reserve(tf, (2,)), (2,), 3), str(_stack(tf, _reserve(tf, (2,)), (2,), 3).shape)]


def case_stack_wrong_count(tf):
    return _stack(tf, _reserve(tf, (2,)), (2,), 4)


def case_stack_empty(tf):
    return _stack(tf, _empty(tf, (2, 3)), (2, 3))


def case_stack_empty_unknown(tf):
    return _stack(tf, _empty(tf, None), None)


def case_from_tensor(tf):
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    h = tf.raw_ops.TensorListFromTensor(tensor=x, element_shape=tf.constant([2], tf.int32))
    y = _stack(tf, h, (2,)) * 2.0
    return Case([y] + tf.gradients(y, x), feeds=[{x: np.arange(6, dtype=np.float32).reshape(3, 2)}])


def case_from_tensor_scalar(tf):
    x = tf.placeholder(tf.float32, None, name="x")
    h = tf.raw_ops.TensorListFromTensor(tensor=x, element_shape=-1)
    return Case(tf.raw_ops.TensorListLength(input_handle=h), feeds=[{x: 3.0}])


def case_gather(tf):
    x = tf.placeholder(tf.float32, [3, 2], name="x")
    h = tf.raw_ops.TensorListFromTensor(tensor=x, element_shape=tf.constant([2], tf.int32))
    y = tf.raw_ops.TensorListGather(input_handle=h, indices=[2, 0], element_shape=tf.constant([2], tf.int32),
                                    element_dtype=tf.float32)
    return Case([y] + tf.gradients(y * y, x), feeds=[{x: np.arange(6, dtype=np.float32).reshape(3, 2)}])


def case_gather_outside(tf):
    return tf.raw_ops.TensorListGather(input_handle=_reserve(tf), indices=[7], element_shape=tf.constant([], tf.int32),
                                       element_dtype=tf.float32)


def case_scatter(tf):
    h = tf.raw_ops.TensorListScatter(tensor=[1.0, 2.0], indices=[3, 1], element_shape=tf.constant([], tf.int32))
    k = tf.raw_ops.TensorListScatterV2(tensor=[1.0, 2.0], indices=[3, 1], element_shape=tf.constant([], tf.int32),
                                       num_elements=5)
    return [_stack(tf, h), _stack(tf, k), tf.raw_ops.TensorListLength(input_handle=k)]


def case_scatter_outside(tf):
    return _stack(tf, tf.raw_ops.TensorListScatterV2(
        tensor=[1.0, 2.0], indices=[3, 1], element_shape=tf.constant([], tf.int32), num_elements=2))


def case_scatter_existing(tf):
    h = tf.raw_ops.TensorListFromTensor(tensor=[1.0, 2.0, 3.0], element_shape=tf.constant([], tf.int32))
    return _stack(tf, tf.raw_ops.TensorListScatterIntoExistingList(input_handle=h, tensor=[7.0, 8.0], indices=[2, 0]))


def case_concat(tf):
    h = _empty(tf, None)
    for v in ([1.0], [2.0, 3.0]):
        h = tf.raw_ops.TensorListPushBack(input_handle=h, tensor=v)
    value, lengths = tf.raw_ops.TensorListConcatV2(input_handle=h, element_shape=-1,
                                                   leading_dims=tf.constant([], tf.int64), element_dtype=tf.float32)
    return [value, lengths]


def case_split(tf):
    x = tf.placeholder(tf.float32, [5], name="x")
    h = tf.raw_ops.TensorListSplit(tensor=x, element_shape=tf.constant([-1], tf.int32),
                                   lengths=tf.constant([2, 3], tf.int64))
    value = tf.raw_ops.TensorListGetItem(input_handle=h, index=1, element_shape=-1, element_dtype=tf.float32)
    return Case(value, feeds=[{x: np.arange(5, dtype=np.float32)}])


def case_split_wrong(tf):
    h = tf.raw_ops.TensorListSplit(tensor=[1.0, 2.0], element_shape=tf.constant([-1], tf.int32),
                                   lengths=tf.constant([2, 3], tf.int64))
    return tf.raw_ops.TensorListLength(input_handle=h)


def case_resize(tf):
    h = tf.raw_ops.TensorListFromTensor(tensor=[1.0, 2.0, 3.0], element_shape=tf.constant([], tf.int32))
    return [_stack(tf, tf.raw_ops.TensorListResize(input_handle=h, size=n)) for n in (2, 5)]


def case_concat_lists(tf):
    a = tf.raw_ops.TensorListFromTensor(tensor=[1.0, 2.0], element_shape=tf.constant([], tf.int32))
    b = tf.raw_ops.TensorListFromTensor(tensor=[3.0], element_shape=tf.constant([], tf.int32))
    return _stack(tf, tf.raw_ops.TensorListConcatLists(input_a=a, input_b=b, element_dtype=tf.float32))


def case_zeros_like_and_sum(tf):
    a = tf.raw_ops.TensorListFromTensor(tensor=[1.0, 2.0], element_shape=tf.constant([], tf.int32))
    b = tf.raw_ops.TensorListFromTensor(tensor=[3.0, 4.0], element_shape=tf.constant([], tf.int32))
    return [_stack(tf, tf.zeros_like(a)), _stack(tf, tf.add_n([a, b]))]


def case_list_gradients(tf):
    x = tf.placeholder(tf.float32, [2], name="x")
    h = tf.raw_ops.TensorListPushBack(input_handle=_empty(tf, (2,)), tensor=x)
    h = tf.raw_ops.TensorListPushBack(input_handle=h, tensor=x * x)
    h = tf.raw_ops.TensorListSetItem(input_handle=h, index=0, item=x * 3.0)
    y = _stack(tf, h, (2,))
    z = tf.raw_ops.TensorListGetItem(input_handle=h, index=1, element_shape=tf.constant([2], tf.int32),
                                     element_dtype=tf.float32)
    return Case(tf.gradients(y, x) + tf.gradients(z, x), feeds=[{x: np.float32([1, 2])}])


def case_stack_v1(tf):
    h = tf.raw_ops.StackV2(max_size=-1, elem_type=tf.float32)
    a = tf.raw_ops.StackPushV2(handle=h, elem=1.0)
    with tf.control_dependencies([a]):
        b = tf.raw_ops.StackPushV2(handle=h, elem=2.0)
    with tf.control_dependencies([b]):
        return tf.raw_ops.StackPopV2(handle=h, elem_type=tf.float32)


def case_stack_by_reference(tf):
    h = tf.raw_ops.Stack(elem_type=tf.float32)
    a = tf.raw_ops.StackPush(handle=h, elem=1.0)
    with tf.control_dependencies([a]):
        b = tf.raw_ops.StackPush(handle=h, elem=2.0)
    with tf.control_dependencies([b]):
        c = tf.raw_ops.StackPop(handle=h, elem_type=tf.float32)
    with tf.control_dependencies([c]):
        return [c, tf.raw_ops.StackClose(handle=h)]


def case_optional(tf):
    o = tf.raw_ops.OptionalFromValue(components=[tf.constant([1.0, 2.0]), 3])
    n = tf.raw_ops.OptionalNone()
    values = tf.raw_ops.OptionalGetValue(optional=o, output_types=[tf.float32, tf.int32], output_shapes=[[2], []])
    return [values, tf.raw_ops.OptionalHasValue(optional=o), tf.raw_ops.OptionalHasValue(optional=n)]


def case_optional_none(tf):
    return tf.raw_ops.OptionalGetValue(optional=tf.raw_ops.OptionalNone(), output_types=[tf.float32],
                                       output_shapes=[[2]])


def case_optional_other_type(tf):
    o = tf.raw_ops.OptionalFromValue(components=[tf.constant([1.0, 2.0])])
    return tf.raw_ops.OptionalGetValue(optional=o, output_types=[tf.int32], output_shapes=[[2]])


def case_grad_with_shape(tf):
    array = tf.TensorArray(tf.float32, 2, element_shape=[2])
    array = array.write(0, [1.0, 2.0])
    handle, flow = tf.raw_ops.TensorArrayGradWithShape(handle=array.handle, flow_in=array.flow,
                                                       shape_to_prepend=[3], source="gradients")
    return tf.raw_ops.TensorArrayReadV3(handle=handle, index=0, flow_in=flow, dtype=tf.float32)


def case_errors(tf):
    return [raises(tf.raw_ops.TensorListStack, input_handle=tf.constant(1.0), element_shape=-1,
                   element_dtype=tf.float32),
            raises(tf.raw_ops.OptionalFromValue, components=[]),
            raises(tf.raw_ops.EmptyTensorList, element_shape=-1, max_num_elements=1.5, element_dtype=tf.float32)]


def case_messages(tf):
    def run(make):
        with tf.Graph().as_default(), tf.Session() as session:
            return session.run(make(tf.raw_ops)).tolist()

    def of(raw, *values):
        return raw.TensorListFromTensor(tensor=tf.constant(values), element_shape=tf.constant([], tf.int32))

    def split(raw, *lengths):
        return raw.TensorListLength(input_handle=raw.TensorListSplit(tensor=tf.constant([1.0, 2.0, 3.0]), element_shape=-1, lengths=list(lengths)))

    return [
        says("Values used: 2", run, lambda raw: split(raw, 1, 1)),
        says(r"Attempting to slice \[0, 4\] from tensor with length 3", run, lambda raw: split(raw, 4, -1)),
        run(lambda raw: split(raw, 0, 3)),
        says(r"Op element shape: \[1\] list shape: \[\]", run, lambda raw: raw.TensorListLength(input_handle=raw.TensorListPushBack(input_handle=of(raw, 1.0), tensor=[1.0]))),
        says("element_shape is not fully defined: <unknown> and no list element is set", run, lambda raw: raw.TensorListGetItem(
            input_handle=raw.TensorListReserve(element_shape=-1, num_elements=2, element_dtype=tf.float32), index=0, element_shape=-1, element_dtype=tf.float32)),
        says("List has type float but expected type int32", run, lambda raw: raw.TensorListStack(input_handle=of(raw, 1.0), element_shape=-1, element_dtype=tf.int32)),
    ]


def case_refused_elements(tf):
    def run(make):
        with tf.Graph().as_default(), tf.Session() as session:
            return session.run(make(tf.raw_ops)).tolist()

    def of(raw, *values, shape=-1):
        return raw.TensorListFromTensor(tensor=tf.constant(values), element_shape=shape)

    def pushed(raw, *values):
        handle = raw.EmptyTensorList(element_shape=-1, max_num_elements=-1, element_dtype=tf.float32)
        for value in values:
            handle = raw.TensorListPushBack(input_handle=handle, tensor=tf.constant(value))
        return handle

    def reserved(raw, count=2, shape=-1):
        return raw.TensorListReserve(element_shape=shape, num_elements=count, element_dtype=tf.float32)

    def stack(raw, handle, shape=-1):
        return raw.TensorListStack(input_handle=handle, element_shape=shape, element_dtype=tf.float32)

    def joined(raw, handle, shape=-1, leading=()):
        return raw.TensorListConcatV2(input_handle=handle, element_shape=shape, element_dtype=tf.float32,
                                      leading_dims=tf.constant(leading, tf.int64, shape=[len(leading)]))[0]

    def gathered(raw, handle, indices):
        return raw.TensorListGather(input_handle=handle, indices=tf.constant(indices, tf.int32, shape=[len(indices)]),
                                    element_shape=-1, element_dtype=tf.float32)

    def item(raw, handle, dtype=tf.float32):
        return raw.TensorListGetItem(input_handle=handle, index=0, element_shape=-1, element_dtype=dtype)

    def split(raw, *lengths, shape=-1):
        return raw.TensorListSplit(tensor=tf.constant([1.0, 2.0, 3.0]), element_shape=shape, lengths=list(lengths))

    return [
        says("Incompatible ranks during merge: 0 vs. 1", run, lambda raw: stack(raw, pushed(raw, 1.0, [1.0, 2.0]))),
        says("Incompatible ranks during merge: 1 vs. 0", run, lambda raw: stack(raw, pushed(raw, 1.0), [2])),
        says(r"Incompatible shapes during merge: \[1\] vs. \[2\]", run, lambda raw: stack(raw, pushed(raw, [1.0], [1.0, 2.0]))),
        says(r"non-fully-defined element_shape: \[\?,2\]", run, lambda raw: stack(raw, pushed(raw), [-1, 2])),
        says("which only contains uninitialized tensors and has a", run, lambda raw: stack(raw, reserved(raw))),
        says("Tried to gather uninitialized tensors from", run, lambda raw: gathered(raw, reserved(raw), [0])),
        says("Tried to gather 0-elements from", run, lambda raw: gathered(raw, reserved(raw), [])),
        says("List contains uninitialized tensor at index 1", run, lambda raw: joined(raw, reserved(raw, 2, [-1]), [-1], [1])),
        says("Trying to concat list with only uninitialized", run, lambda raw: joined(raw, reserved(raw))),
        says(r"during merge: \[2\] vs. \[1\]", run, lambda raw: joined(raw, pushed(raw, [[1.0, 2.0]], [[1.0]]))),
        says(r"slice \[1, 4\] from tensor with length 3", run, lambda raw: joined(raw, split(raw, 1, 3))),
        says("Invalid value in lengths: -1", run, lambda raw: joined(raw, split(raw, -1, 4))),
        says(r"Specified a list with shape \[2\] from a tensor with shape \[1\]", run, lambda raw: stack(
            raw, raw.TensorListScatter(tensor=[[1.0], [2.0]], indices=[1, 3], element_shape=[2]))),
        says("Expected list with element dtype int32 but got list with element dtype float", run,
             lambda raw: item(raw, of(raw, 1.0), tf.int32)),
        says("push to list with wrong element dtype. List has type float but trying to push element with type int32", run,
             lambda raw: raw.TensorListPushBack(input_handle=of(raw, 1.0), tensor=1)),
        run(lambda raw: item(raw, raw.TensorListSetItem(input_handle=reserved(raw), index=1, item=[1.0, 2.0]))),
        run(lambda raw: joined(raw, split(raw, 1, 2, shape=[2]))),
        run(lambda raw: joined(raw, reserved(raw, 2, [-1]), [-1], [1, 2])),
    ]
