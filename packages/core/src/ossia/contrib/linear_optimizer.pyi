# Written by tools/api_stubs.py; do not edit.
from ossia_contrib.linear_optimizer.model import SdcaModel as SdcaModel, SparseFeatureColumn as SparseFeatureColumn
from ossia_contrib.linear_optimizer.optimizer import SDCAOptimizer as SDCAOptimizer
