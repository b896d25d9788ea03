"""RQ workers that play built-in bots and call webhooks. They use the service over HTTP only."""
