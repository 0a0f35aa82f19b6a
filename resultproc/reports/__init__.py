"""What is computed from awarded games, each beside how it is shown."""
