"""What watches and steers a monitored session: one hook per module."""
