"""The stages from a sheet as read to its awards: complete, rank, award, and the pipeline of them all."""
