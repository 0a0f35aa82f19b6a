"""Results to results sites: what is sent where, sent once, with a receipt of what the site said."""
