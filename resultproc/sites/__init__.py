"""What results sites take: a TOML file for each site, and what in a result a site would refuse or lose."""
