"""What is no tensor where one is expected, and parts of variables that do not fit: what the original says."""
from golden_case import Case, says


def case_sparse(tf):
    sparse = tf.SparseTensor([[0]], [1.0], [2])
    wanted = "Failed to convert object of type .*SparseTensor'> to Tensor. Contents: SparseTensor\\(indices="
    return [
        says(wanted, tf.constant, sparse),
        says(wanted, tf.convert_to_tensor, sparse),
        says("Failed to convert object of type <class 'list'> to Tensor", tf.constant, [sparse]),
        says("List of Tensors when single Tensor expected", tf.constant, [tf.constant(1.0)]),
        says(wanted, tf.Variable, sparse),
    ]


def case_operations(tf):
    op = tf.no_op(name="nothing")
    wanted = r"Can't convert Operation 'nothing' to Tensor \(target dtype="
    return [
        says(wanted + r"None, name=None, as_ref=False\)", tf.convert_to_tensor, op),
        says(wanted + r"tf.float32, name=None, as_ref=False\)", tf.convert_to_tensor, op, dtype=tf.float32),
        says(wanted, lambda: tf.raw_ops.Neg(x=op)),
        says("Failed to convert object of type .*Operation'> to Tensor", tf.constant, op),
    ]


def case_no_lists(tf):
    return [
        says("Expected list for 'inputs' argument to 'add_n' Op, not 3", lambda: tf.raw_ops.AddN(inputs=3)),
        says("Expected list for 'input' argument to 'IdentityN' Op, not 3", lambda: tf.raw_ops.IdentityN(input=3)),
        says("Expected list for 'input' argument to 'shape_n' Op, not 3", lambda: tf.raw_ops.ShapeN(input=3)),
    ]


def case_parts_by_parts(tf):
    with tf.variable_scope("p", partitioner=tf.fixed_size_partitioner(3)):
        v = tf.get_variable("v", [7, 2], initializer=tf.ones_initializer())
        w = tf.get_variable("w", [7, 2], initializer=tf.ones_initializer())
    return Case(list(v.assign_add(w)))


def case_partitioners(tf):
    split = tf.min_max_variable_partitioner(max_partitions=4, min_slice_size=8)
    return says("Can not partition variable along axis 0 when shape is only", split, shape=tf.TensorShape([]), dtype=tf.float32)
