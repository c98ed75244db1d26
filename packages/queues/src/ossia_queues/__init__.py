"""Queues, accumulators, Coordinator, QueueRunner, readers and input pipelines, for Ossia."""
