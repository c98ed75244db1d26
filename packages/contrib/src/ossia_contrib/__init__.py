"""What public programs use of `tf.contrib`; each folder has the name of the module that it serves."""
