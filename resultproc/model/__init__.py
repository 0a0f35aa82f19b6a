"""What everything speaks of: columns, game keys, frames, and the values that the keys stand for."""
