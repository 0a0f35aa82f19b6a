"""Club championships and fund games of 2011 to 2014."""
