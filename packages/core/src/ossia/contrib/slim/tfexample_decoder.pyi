# Written by tools/api_stubs.py; do not edit.
from ossia_contrib.slim.tfexample_decoder import (
 BackupHandler as BackupHandler, BoundingBox as BoundingBox, Image as Image, ItemHandler as ItemHandler,
 ItemHandlerCallback as ItemHandlerCallback, LookupTensor as LookupTensor, SparseTensor as SparseTensor,
 TFExampleDecoder as TFExampleDecoder, Tensor as Tensor
)
