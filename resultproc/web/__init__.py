"""A page on this machine's own browser, by which a director awards, mends, saves and looks: ``resultproc open``."""
