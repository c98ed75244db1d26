"""Text in tensors of strings: regular expressions, Unicode, pieces and n-grams in ragged rows."""
