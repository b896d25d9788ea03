"""The Redis kit that features share: connections, scripts, locks, the queue of workers, news."""
