"""Written by `python -m ossia_core.api_stubs packages`; do not edit."""

from ossia_ops.string_numbers import as_string as as_string
from ossia_ops.string_ragged import bytes_split as bytes_split
from ossia_ops.printing import string_format as _format
format = _format
from ossia_ops.strings import string_join as _join
join = _join
from ossia_ops.strings import string_length as _length
length = _length
from ossia_ops.strings import string_lower as _lower
lower = _lower
from ossia_ops.string_ragged import ngrams as ngrams
from ossia_ops.strings import reduce_join as reduce_join
from ossia_ops.regex import regex_full_match as regex_full_match
from ossia_ops.regex import regex_replace as regex_replace
from ossia_ops.string_split import split as split
from ossia_ops.strings import string_strip as _strip
strip = _strip
from ossia_ops.strings import substr as substr
from ossia_ops.string_hash import string_to_hash_bucket as _to_hash_bucket
to_hash_bucket = _to_hash_bucket
from ossia_ops.string_hash import string_to_hash_bucket_fast as _to_hash_bucket_fast
to_hash_bucket_fast = _to_hash_bucket_fast
from ossia_ops.string_hash import string_to_hash_bucket_strong as _to_hash_bucket_strong
to_hash_bucket_strong = _to_hash_bucket_strong
from ossia_ops.string_numbers import string_to_number as _to_number
to_number = _to_number
from ossia_ops.unicode import unicode_decode as unicode_decode
from ossia_ops.unicode import unicode_decode_with_offsets as unicode_decode_with_offsets
from ossia_ops.unicode import unicode_encode as unicode_encode
from ossia_ops.unicode import unicode_script as unicode_script
from ossia_ops.unicode import unicode_split as unicode_split
from ossia_ops.unicode import unicode_split_with_offsets as unicode_split_with_offsets
from ossia_ops.unicode import unicode_transcode as unicode_transcode
from ossia_ops.string_ragged import unsorted_segment_join as unsorted_segment_join
from ossia_ops.strings import string_upper as _upper
upper = _upper
