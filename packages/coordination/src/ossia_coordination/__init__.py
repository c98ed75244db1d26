"""Threads that work on one session: coordinators, queue runners, critical sections."""
