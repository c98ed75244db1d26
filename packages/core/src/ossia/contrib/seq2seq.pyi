# Written by tools/api_stubs.py; do not edit.
from ossia_contrib.seq2seq.attention import (
 AttentionMechanism as AttentionMechanism, BahdanauAttention as BahdanauAttention, LuongAttention as LuongAttention,
 BaseAttention as __BaseAttentionMechanism, bahdanau_score as __bahdanau_score, luong_score as __luong_score
)
from ossia_contrib.seq2seq.attention_wrapper import (
 AttentionWrapper as AttentionWrapper, AttentionWrapperState as AttentionWrapperState,
 compute_attention as __compute_attention, hardmax as hardmax
)
from ossia_contrib.seq2seq.beam_search import (
 BeamSearchDecoder as BeamSearchDecoder, BeamSearchDecoderOutput as BeamSearchDecoderOutput,
 BeamSearchDecoderState as BeamSearchDecoderState, FinalBeamSearchDecoderOutput as FinalBeamSearchDecoderOutput,
 gather_tree_from_array as gather_tree_from_array, tile_batch as tile_batch
)
from ossia_contrib.seq2seq.decoder import (
 BasicDecoder as BasicDecoder, BasicDecoderOutput as BasicDecoderOutput, Decoder as Decoder,
 dynamic_decode as dynamic_decode
)
from ossia_contrib.seq2seq.gather_tree import gather_tree as gather_tree
from ossia_contrib.seq2seq.helper import (
 CustomHelper as CustomHelper, GreedyEmbeddingHelper as GreedyEmbeddingHelper, Helper as Helper,
 InferenceHelper as InferenceHelper, SampleEmbeddingHelper as SampleEmbeddingHelper, TrainingHelper as TrainingHelper
)
from ossia_contrib.seq2seq.loss import sequence_loss as sequence_loss
from ossia_contrib.seq2seq.monotonic import (
 BahdanauMonotonicAttention as BahdanauMonotonicAttention, LuongMonotonicAttention as LuongMonotonicAttention,
 monotonic_attention as monotonic_attention, safe_cumprod as safe_cumprod
)
from ossia_contrib.seq2seq.scheduled import (
 ScheduledEmbeddingTrainingHelper as ScheduledEmbeddingTrainingHelper,
 ScheduledOutputTrainingHelper as ScheduledOutputTrainingHelper
)
_BaseAttentionMechanism = __BaseAttentionMechanism
_bahdanau_score = __bahdanau_score
_compute_attention = __compute_attention
_luong_score = __luong_score
