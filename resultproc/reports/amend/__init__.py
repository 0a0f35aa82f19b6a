"""Two versions of a game: what was corrected, who gains or loses by it, and which correction did it."""
