# Written by ossia_core.plugins.api_stubs; do not edit.
from ossia_contrib.seq2seq.loss import sequence_loss as sequence_loss
