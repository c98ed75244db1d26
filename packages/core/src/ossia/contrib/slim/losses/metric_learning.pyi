# Written by tools/api_stubs.py; do not edit.
from ossia.contrib.losses.metric_learning import (
 cluster_loss as cluster_loss, contrastive_loss as contrastive_loss, lifted_struct_loss as lifted_struct_loss,
 npairs_loss as npairs_loss, npairs_loss_multilabel as npairs_loss_multilabel,
 triplet_semihard_loss as triplet_semihard_loss
)
