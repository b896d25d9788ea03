"""What plays and watches from outside: HTTP clients, and the RQ workers that run built-in bots."""
