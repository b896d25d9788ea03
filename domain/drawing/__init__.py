"""Pictures of boards and games."""
