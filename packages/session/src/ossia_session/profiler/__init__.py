"""`tf.profiler`: how much a graph has, needs and takes, by scopes, ops or lines of the program."""
