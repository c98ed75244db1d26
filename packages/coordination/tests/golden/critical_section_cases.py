"""Critical sections: graphs, and what they refuse."""
from golden_case import Case, raises


def _counter(tf):
    return tf.get_variable("v", [], use_resource=True, initializer=tf.zeros_initializer())


def case_critical_section(tf):
    section, v = tf.CriticalSection(name="cs"), _counter(tf)
    a = section.execute(lambda: v.assign_add(1.0))
    return Case([a, section.name], steps=2, collections=False)


def case_critical_section_read(tf):
    section, v = tf.CriticalSection(), _counter(tf)
    x = tf.placeholder(tf.float32, [], name="x")
    a = section.execute(lambda: v.read_value() * x, exclusive_resource_access=False, name="run")
    return Case(a, feeds=[{x: 2.0}], collections=False)


def case_critical_section_two(tf):
    section, v = tf.CriticalSection(shared_name="shared"), _counter(tf)
    a = section.execute(lambda: v.assign_add(1.0))
    with tf.control_dependencies([a]):
        b = section.execute(lambda: (v.read_value(), v.read_value() * 2.0))
    return Case([a, b], collections=False)


def case_critical_section_other(tf):
    one, two, v = tf.CriticalSection(), tf.CriticalSection(), _counter(tf)
    one.execute(lambda: v.assign_add(1.0))
    return raises(two.execute, lambda: v.assign_add(1.0))


def case_critical_section_shared(tf):
    one, two, v = tf.CriticalSection(), tf.CriticalSection(), _counter(tf)
    a = one.execute(lambda: v.read_value() + 1.0, exclusive_resource_access=False)
    b = two.execute(lambda: v.read_value() + 2.0, exclusive_resource_access=False)
    return Case([a, b], collections=False)


def case_critical_section_self(tf):
    one = tf.CriticalSection()
    return raises(one.execute, lambda: one.execute(lambda: tf.constant(1.0)))


def case_operations_and_numbers(tf):
    section = tf.CriticalSection(name="section")
    made = [section.execute(tf.no_op), section.execute(lambda: 2.0)]
    return [made, section.execute(lambda: (tf.no_op(), tf.constant(1)))]


def case_sections_of_one_lock(tf):
    one, two, v = tf.CriticalSection(shared_name="lock"), tf.CriticalSection(shared_name="lock"), _counter(tf)
    a = one.execute(lambda: v.read_value() + 1.0)
    b = two.execute(lambda: v.read_value() + 2.0)
    return Case([a, b, raises(one.execute, lambda: two.execute(lambda: tf.constant(1.0)))], collections=False, graph=False)
