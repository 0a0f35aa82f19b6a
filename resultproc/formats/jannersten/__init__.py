"""``results.txt``: what Jannersten's programs take of other programs' results, for hand records and web pages."""
