"""From a grid of cells, whatever file it came in, to contestants."""
