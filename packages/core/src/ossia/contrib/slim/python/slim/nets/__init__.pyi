# Written by tools/api_stubs.py; do not edit.
from . import inception as inception
from ossia.contrib.slim.nets import (
 alexnet as alexnet, inception_v1 as inception_v1, inception_v2 as inception_v2, inception_v3 as inception_v3,
 overfeat as overfeat, resnet_utils as resnet_utils, resnet_v1 as resnet_v1, resnet_v2 as resnet_v2, vgg as vgg
)
