# Written by tools/api_stubs.py; do not edit.
from ossia.dtypes import as_string as as_string
from ossia_ops.control.printing import string_format as _format
from ossia_ops.strings.elementwise import (
 string_join as _join, string_length as _length, string_lower as _lower, reduce_join as reduce_join,
 string_strip as _strip, substr as substr, string_upper as _upper
)
from ossia_ops.strings.hashes import (
 string_to_hash_bucket as _to_hash_bucket, string_to_hash_bucket_fast as _to_hash_bucket_fast,
 string_to_hash_bucket_strong as _to_hash_bucket_strong
)
from ossia_ops.strings.numbers import string_to_number as _to_number
from ossia_ops.strings.segments import unsorted_segment_join as unsorted_segment_join
from ossia_text.ngrams import ngrams as ngrams
from ossia_text.regex import regex_full_match as regex_full_match, regex_replace as regex_replace
from ossia_text.string_split import bytes_split as bytes_split, split as split
from ossia_text.unicode import unicode_script as unicode_script, unicode_transcode as unicode_transcode
from ossia_text.unicode_rows import (
 unicode_decode as unicode_decode, unicode_decode_with_offsets as unicode_decode_with_offsets,
 unicode_encode as unicode_encode, unicode_split as unicode_split,
 unicode_split_with_offsets as unicode_split_with_offsets
)
format = _format
join = _join
length = _length
lower = _lower
strip = _strip
to_hash_bucket = _to_hash_bucket
to_hash_bucket_fast = _to_hash_bucket_fast
to_hash_bucket_strong = _to_hash_bucket_strong
to_number = _to_number
upper = _upper
