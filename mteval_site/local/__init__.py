"""The embedded default: database, web server and worker under one parent."""
