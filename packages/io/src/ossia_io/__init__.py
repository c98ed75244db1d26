"""Files: `tf.gfile`, TFRecord files, Example parsing and the codecs of `tf.io`; nothing is imported here."""
