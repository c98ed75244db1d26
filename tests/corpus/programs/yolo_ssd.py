"""Heads of detectors: decoding of a YOLO grid with non-maximum suppression, and SSD boxes encoded with a while loop."""
import numpy as np
import tensorflow as tf

slim = tf.contrib.slim
anchors = np.array([[1.0, 1.5], [2.0, 1.0]], np.float32)
classes, grid, batch = 3, 4, 2
tf.set_random_seed(3)


def leaky_relu(alpha):
    def op(inputs):
        return tf.maximum(alpha * inputs, inputs, name="leaky_relu")
    return op


def darknet(images, training):
    with slim.arg_scope([slim.conv2d], activation_fn=leaky_relu(0.1), normalizer_fn=slim.batch_norm,
                        normalizer_params={"is_training": training, "decay": 0.9, "scale": True},
                        weights_regularizer=slim.l2_regularizer(0.0005)):
        net = tf.pad(images, np.array([[0, 0], [1, 1], [1, 1], [0, 0]]), name="pad_1")
        net = slim.conv2d(net, 8, 3, padding="VALID", scope="conv_1")
        net = slim.max_pool2d(net, 2, scope="pool_1")
        route = slim.conv2d(net, 8, 3, scope="conv_2")
        net = slim.max_pool2d(route, 2, scope="pool_2")
        passthrough = tf.space_to_depth(route, 2)
        net = tf.concat([net, passthrough], 3)
        net = slim.conv2d(net, len(anchors) * (5 + classes), 1, activation_fn=None, normalizer_fn=None, scope="out")
        return net


def decode(net):
    out = tf.reshape(net, [-1, grid * grid, len(anchors), 5 + classes])
    xy = tf.nn.sigmoid(out[..., 0:2])
    wh = tf.exp(out[..., 2:4])
    obj = tf.nn.sigmoid(out[..., 4])
    prob = tf.nn.softmax(out[..., 5:])
    height_index, width_index = tf.range(grid, dtype=tf.float32), tf.range(grid, dtype=tf.float32)
    x_cell, y_cell = tf.meshgrid(height_index, width_index)
    x_cell, y_cell = tf.reshape(x_cell, [1, -1, 1]), tf.reshape(y_cell, [1, -1, 1])
    bx = (x_cell + xy[..., 0]) / grid
    by = (y_cell + xy[..., 1]) / grid
    bw = anchors[:, 0] * wh[..., 0] / grid
    bh = anchors[:, 1] * wh[..., 1] / grid
    return tf.stack([by - bh / 2, bx - bw / 2, by + bh / 2, bx + bw / 2], axis=3), obj, prob


def iou(boxes, truth):
    inter = tf.maximum(tf.minimum(boxes[..., 2:], truth[2:]) - tf.maximum(boxes[..., :2], truth[:2]), 0)
    inter = inter[..., 0] * inter[..., 1]
    area = lambda b: (b[..., 2] - b[..., 0]) * (b[..., 3] - b[..., 1])
    return inter / (area(boxes) + area(truth) - inter)


images = tf.placeholder(tf.float32, [None, 16, 16, 3])
net = darknet(images, True)
boxes, obj, prob = decode(net)
truth = tf.constant([0.1, 0.1, 0.6, 0.7])
overlaps = iou(boxes, truth)
best = tf.cast(tf.equal(overlaps, tf.reduce_max(overlaps, [1, 2], keep_dims=True)), tf.float32)
coord = 5.0 * tf.losses.huber_loss(tf.ones_like(boxes) * truth, boxes, weights=tf.expand_dims(best, -1))
conf = tf.reduce_sum(best * tf.square(obj - overlaps) + 0.5 * (1 - best) * tf.square(obj), [1, 2])
loss = coord + tf.reduce_mean(conf) + tf.add_n(tf.losses.get_regularization_losses())
scores, selected = tf.reduce_max(tf.expand_dims(obj, -1) * prob, 3), tf.argmax(prob, 3)
flat_boxes, flat_scores = tf.reshape(boxes[0], [-1, 4]), tf.reshape(scores[0], [-1])
keep = tf.image.non_max_suppression(flat_boxes, flat_scores, 5, 0.4)
kept = tf.gather(flat_boxes, keep)
drawn = tf.image.draw_bounding_boxes(images[:1], tf.expand_dims(kept, 0))
update = tf.get_collection(tf.GraphKeys.UPDATE_OPS)
with tf.control_dependencies(update):
    train = tf.train.AdamOptimizer(1e-3, epsilon=1e-4).minimize(loss)

# SSD: each ground truth marks the anchors it fits, one after the other
labels = tf.constant([1, 2], tf.int64)
bboxes = tf.constant([[0.1, 0.1, 0.5, 0.5], [0.4, 0.3, 0.9, 0.9]])
yref, xref = np.mgrid[0:grid, 0:grid].astype(np.float32)
yref, xref, href, wref = (yref + 0.5) / grid, (xref + 0.5) / grid, np.float32(0.4), np.float32(0.4)
ymin, xmin, ymax, xmax = yref - href / 2, xref - wref / 2, yref + href / 2, xref + wref / 2
feat_labels = tf.zeros((grid, grid), dtype=tf.int64)
feat_scores = tf.zeros((grid, grid), dtype=tf.float32)
fy, fx = tf.zeros((grid, grid)), tf.zeros((grid, grid))


def condition(i, feat_labels, feat_scores, fy, fx):
    return tf.less(i, tf.shape(labels))[0]


def body(i, feat_labels, feat_scores, fy, fx):
    label, bbox = labels[i], bboxes[i]
    int_h = tf.maximum(tf.minimum(ymax, bbox[2]) - tf.maximum(ymin, bbox[0]), 0.)
    int_w = tf.maximum(tf.minimum(xmax, bbox[3]) - tf.maximum(xmin, bbox[1]), 0.)
    union = href * wref - int_h * int_w + (bbox[2] - bbox[0]) * (bbox[3] - bbox[1])
    jaccard = tf.div(int_h * int_w, union)
    mask = tf.logical_and(tf.greater(jaccard, feat_scores), feat_scores > -0.5)
    imask, fmask = tf.cast(mask, tf.int64), tf.cast(mask, tf.float32)
    feat_labels = imask * label + (1 - imask) * feat_labels
    feat_scores = tf.where(mask, jaccard, feat_scores)
    fy = fmask * (bbox[0] + bbox[2]) / 2 + (1 - fmask) * fy
    fx = fmask * (bbox[1] + bbox[3]) / 2 + (1 - fmask) * fx
    return [i + 1, feat_labels, feat_scores, fy, fx]


i, feat_labels, feat_scores, fy, fx = tf.while_loop(condition, body, [0, feat_labels, feat_scores, fy, fx])
cy, cx = (fy - yref) / href / 0.1, (fx - xref) / wref / 0.1
top = tf.nn.top_k(tf.reshape(feat_scores, [-1]), k=4)
with tf.Session(config=tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))) as sess:
    sess.run(tf.global_variables_initializer())
    feed = {images: np.random.RandomState(1).rand(batch, 16, 16, 3)}
    for step in range(4):
        value, _ = sess.run([loss, train], feed)
        print("step %d loss %.4f" % (step, value))
    k, d, c = sess.run([kept, drawn, selected], feed)
    print(k.shape, "%.4f" % d.mean(), np.bincount(c.ravel(), minlength=3).sum())
    print(sess.run(feat_labels))
    print(np.round(sess.run(feat_scores), 3))
    print(np.round(sess.run([cy, cx]), 2)[:, 1], sess.run(top.indices))
print("ops", len(tf.get_default_graph().get_operations()))
