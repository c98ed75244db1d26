# Written by ossia_core.plugins.api_stubs; do not edit.
from ossia_contrib.legacy_seq2seq.loss import (
 sequence_loss as sequence_loss, sequence_loss_by_example as sequence_loss_by_example
)
