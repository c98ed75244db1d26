"""Programs under construction: instructions, the buffers that they name, and elementwise chains."""
