import tensorflow as tf


def attempt(f):
    try:
        r = f()
        print(getattr(r, 'name', r))
    except (ValueError, TypeError, RuntimeError, LookupError, AttributeError) as e:
        print(type(e).__name__, str(e).split('\n')[0][:150])


with tf.variable_scope('a') as a:
    v = tf.get_variable('v', [2])
    attempt(lambda: tf.get_variable('v', [2]))
    attempt(lambda: tf.get_variable('bad name!', [2]))
    attempt(lambda: tf.get_variable('noshape'))
    attempt(lambda: tf.get_variable('init', initializer=tf.constant([1., 2.])))
    attempt(lambda: tf.get_variable('both', [3], initializer=tf.constant([1., 2., 3.])))
    attempt(lambda: tf.get_variable('np', initializer=[1, 2]))
    attempt(lambda: tf.get_variable('dyn', [None, 2]))
    attempt(lambda: tf.get_variable('cfg', [], tf.bool))
    attempt(lambda: tf.get_variable('str', [], tf.string))
    attempt(lambda: tf.get_variable('i', [2], tf.int32))
    attempt(lambda: tf.Variable(lambda: tf.ones([2]), name='fn'))
with tf.variable_scope(a, reuse=True):
    attempt(lambda: tf.get_variable('v', [2]) is v)
    attempt(lambda: tf.get_variable('v', [3]))
    attempt(lambda: tf.get_variable('v', [2], tf.float64))
    attempt(lambda: tf.get_variable('w', [2]))
    attempt(lambda: tf.get_variable('v').shape)
with tf.variable_scope('a', reuse=tf.AUTO_REUSE) as again:
    print(again.name, again.original_name_scope, tf.constant(1).name, again.reuse, tf.get_variable('v', [2]).name)
    with tf.variable_scope('b', initializer=tf.ones_initializer(), dtype=tf.float64, use_resource=True, regularizer=tf.nn.l2_loss) as b:
        q = tf.get_variable('q', [2])
        print(q.dtype, type(q).__name__, b.initializer is not None, b.caching_device, tf.get_collection('regularization_losses'))
        with tf.variable_scope(tf.get_variable_scope()):
            print(tf.constant(1).name, tf.get_variable_scope().name)
        with tf.variable_scope(a) as top:
            print(top.name, tf.constant(1).name)
        with tf.variable_scope(a, auxiliary_name_scope=False):
            print(tf.constant(1).name)
for _ in range(2):
    with tf.variable_scope(None, 'default') as d:
        print(d.name, tf.get_variable('x', [1]).name)
with tf.variable_scope('outer'):
    for _ in range(2):
        with tf.variable_scope(None, default_name='default'):
            with tf.name_scope('ns'):
                print(tf.get_variable('x', [1]).name, tf.identity(1.0).name)
with tf.name_scope('n1'), tf.name_scope(None), tf.name_scope('n2/'):
    print(tf.constant(1, name='c').name)
with tf.name_scope('n2/'):
    print(tf.constant(1, name='c').name)
attempt(lambda: tf.name_scope('bad name').__enter__())
attempt(lambda: tf.variable_scope(None).__enter__())
attempt(lambda: tf.variable_scope(3).__enter__())


def net(x, name='net'):
    with tf.variable_scope(name, values=[x]):
        return tf.layers.dense(x, 2)


t = tf.make_template('tmpl', net, name='inner', create_scope_now_=True)
u = tf.make_template('uniq', lambda x: tf.get_variable('z', [1]) * x, unique_name_='uniq')
x = tf.zeros([1, 3])
print(t(x).name, t(x).name, u(1.).name, [v.name for v in t.trainable_variables], t.var_scope.name)
attempt(lambda: tf.make_template('tmpl2', lambda: tf.Variable(0.))() and 1)


class Getter(object):
    def __init__(self):
        self.seen = []

    def __call__(self, getter, name, *args, **kwargs):
        self.seen.append((name, kwargs.get('shape'), kwargs.get('trainable')))
        v = getter(name, *args, **kwargs)
        return v * 2.0 if name.endswith('scaled') else v


g = Getter()
with tf.variable_scope('cg', custom_getter=g):
    print(tf.get_variable('scaled', [1]).name, tf.layers.dense(x, 2).name, tf.get_variable('plain', [1]).name)
print(g.seen)
ema = tf.train.ExponentialMovingAverage(0.9)


def ema_getter(getter, name, *a, **k):
    var = getter(name, *a, **k)
    avg = ema.average(var)
    return avg if avg is not None else var


with tf.variable_scope('m'):
    mv = tf.get_variable('mv', [2])
ema.apply([mv])
with tf.variable_scope('m', reuse=True, custom_getter=ema_getter):
    print(tf.get_variable('mv').name)


def creator(next_creator, **kw):
    kw['name'] = 'made_' + (kw['name'] or 'x')
    return next_creator(**kw)


with tf.variable_creator_scope(creator):
    print(tf.Variable(1.0, name='q').name, tf.get_variable('r', [1]).name)
with tf.variable_scope('fin'):
    tf.get_variable_scope().set_initializer(tf.zeros_initializer())
    tf.get_variable_scope().reuse_variables()
    print(tf.get_variable_scope().reuse)
print([v.name for v in tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES, 'a/.*v$')], [v.name for v in tf.global_variables('outer')], len(tf.trainable_variables()))
with tf.init_scope():
    print(tf.constant(3).name)
tf.get_default_graph().finalize()
attempt(lambda: tf.constant(1))
