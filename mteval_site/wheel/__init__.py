"""mteval as an installed package: `mteval` starts the site in the folder `site`."""
