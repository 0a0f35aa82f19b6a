"""The pages of a club: lists of its games by day and month, and of its players, from what a run has written."""
