"""Many files in one run: whole results or none, bad files set aside, safe to interrupt and to run again."""
