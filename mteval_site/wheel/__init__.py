"""mteval as an installed package: `mteval` starts the site that lies in the folder `site`."""
