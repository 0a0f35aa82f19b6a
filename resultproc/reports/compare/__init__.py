"""Games under several rulebooks, side by side."""
