"""The implementation behind `ossia`; nothing is imported here, so that each part is loaded when it is needed."""
