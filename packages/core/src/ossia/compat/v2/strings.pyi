# Written by tools/api_stubs.py; do not edit.
from ossia.dtypes import as_string as as_string
from ossia.strings import (
 bytes_split as bytes_split, format as format, join as join, lower as lower, ngrams as ngrams,
 regex_full_match as regex_full_match, regex_replace as regex_replace, strip as strip,
 to_hash_bucket_fast as to_hash_bucket_fast, to_hash_bucket_strong as to_hash_bucket_strong,
 unicode_decode as unicode_decode, unicode_decode_with_offsets as unicode_decode_with_offsets,
 unicode_encode as unicode_encode, unicode_script as unicode_script, unicode_split as unicode_split,
 unicode_split_with_offsets as unicode_split_with_offsets, unicode_transcode as unicode_transcode,
 unsorted_segment_join as unsorted_segment_join, upper as upper
)
from ossia_ops.strings.elementwise import (
 string_length_v2 as _length, reduce_join_v2 as _reduce_join, substr_v2 as _substr
)
from ossia_ops.strings.hashes import string_to_hash_bucket_v2 as _to_hash_bucket
from ossia_ops.strings.numbers import string_to_number_v2 as _to_number
from ossia_text.string_split import split_v2 as _split
length = _length
reduce_join = _reduce_join
split = _split
substr = _substr
to_hash_bucket = _to_hash_bucket
to_number = _to_number
