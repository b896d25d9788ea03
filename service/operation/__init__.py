"""What operators see: the stack of processes, recurring work, metrics, health."""
