# Written by tools/api_stubs.py; do not edit.
from ossia_contrib.legacy_seq2seq.decoders import (
 attention_decoder as attention_decoder, embedding_attention_decoder as embedding_attention_decoder,
 embedding_rnn_decoder as embedding_rnn_decoder, rnn_decoder as rnn_decoder
)
from ossia_contrib.legacy_seq2seq.loss import (
 sequence_loss as sequence_loss, sequence_loss_by_example as sequence_loss_by_example
)
from ossia_contrib.legacy_seq2seq.models import (
 basic_rnn_seq2seq as basic_rnn_seq2seq, embedding_attention_seq2seq as embedding_attention_seq2seq,
 embedding_rnn_seq2seq as embedding_rnn_seq2seq, embedding_tied_rnn_seq2seq as embedding_tied_rnn_seq2seq,
 model_with_buckets as model_with_buckets, one2many_rnn_seq2seq as one2many_rnn_seq2seq,
 tied_rnn_seq2seq as tied_rnn_seq2seq
)
