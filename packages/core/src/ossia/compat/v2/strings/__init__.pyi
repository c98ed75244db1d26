"""Written by `python -m ossia_core.api_stubs packages`; do not edit."""

from ossia_ops.string_ragged import bytes_split as bytes_split
from ossia_ops.string_ragged import ngrams as ngrams
from ossia_ops.regex import regex_full_match as regex_full_match
from ossia_ops.regex import regex_replace as regex_replace
from ossia_ops.string_split import split_v2 as _split
split = _split
from ossia_ops.string_hash import string_to_hash_bucket_v2 as _to_hash_bucket
to_hash_bucket = _to_hash_bucket
from ossia_ops.string_hash import string_to_hash_bucket_fast as _to_hash_bucket_fast
to_hash_bucket_fast = _to_hash_bucket_fast
from ossia_ops.string_hash import string_to_hash_bucket_strong as _to_hash_bucket_strong
to_hash_bucket_strong = _to_hash_bucket_strong
from ossia_ops.unicode import unicode_decode as unicode_decode
from ossia_ops.unicode import unicode_decode_with_offsets as unicode_decode_with_offsets
from ossia_ops.unicode import unicode_encode as unicode_encode
from ossia_ops.unicode import unicode_script as unicode_script
from ossia_ops.unicode import unicode_split as unicode_split
from ossia_ops.unicode import unicode_split_with_offsets as unicode_split_with_offsets
from ossia_ops.unicode import unicode_transcode as unicode_transcode
from ossia_ops.string_ragged import unsorted_segment_join as unsorted_segment_join
