"""What an archive's awards add up to."""
