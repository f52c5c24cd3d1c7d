"""The site: what puts the apps together and serves them."""
