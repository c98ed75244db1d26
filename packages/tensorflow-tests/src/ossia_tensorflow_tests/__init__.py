"""What only unit tests of TensorFlow need: fixture ops, test classes, templates of messages."""
