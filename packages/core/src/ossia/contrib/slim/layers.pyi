# Written by tools/api_stubs.py; do not edit.
from ossia.contrib.layers import (
 avg_pool2d as avg_pool2d, avg_pool3d as avg_pool3d, batch_norm as batch_norm, bias_add as bias_add, conv1d as conv1d,
 conv2d as conv2d, conv2d_in_plane as conv2d_in_plane, conv2d_transpose as conv2d_transpose, conv3d as conv3d,
 conv3d_transpose as conv3d_transpose, convolution as convolution, convolution1d as convolution1d,
 convolution2d as convolution2d, convolution2d_in_plane as convolution2d_in_plane,
 convolution2d_transpose as convolution2d_transpose, convolution3d as convolution3d,
 convolution3d_transpose as convolution3d_transpose, dense_to_sparse as dense_to_sparse, dropout as dropout, elu as elu,
 flatten as flatten, fully_connected as fully_connected, images_to_sequence as images_to_sequence,
 layer_norm as layer_norm, legacy_fully_connected as legacy_fully_connected, legacy_linear as legacy_linear,
 legacy_relu as legacy_relu, linear as linear, max_pool2d as max_pool2d, max_pool3d as max_pool3d, maxout as maxout,
 one_hot_encoding as one_hot_encoding, relu as relu, relu6 as relu6, repeat as repeat, scale_gradient as scale_gradient,
 separable_conv2d as separable_conv2d, separable_convolution2d as separable_convolution2d,
 sequence_to_images as sequence_to_images, softmax as softmax, spatial_softmax as spatial_softmax, stack as stack,
 unit_norm as unit_norm
)
