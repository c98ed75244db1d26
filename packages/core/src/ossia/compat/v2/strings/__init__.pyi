"""Written by `python -m ossia_core.api_stubs packages`; do not edit."""

from ossia_ops.regex import regex_full_match as regex_full_match
from ossia_ops.regex import regex_replace as regex_replace
from ossia_ops.string_hash import string_to_hash_bucket_v2 as _to_hash_bucket
to_hash_bucket = _to_hash_bucket
from ossia_ops.string_hash import string_to_hash_bucket_fast as _to_hash_bucket_fast
to_hash_bucket_fast = _to_hash_bucket_fast
from ossia_ops.string_hash import string_to_hash_bucket_strong as _to_hash_bucket_strong
to_hash_bucket_strong = _to_hash_bucket_strong
