"""How collected static files are named."""

from whitenoise.storage import CompressedManifestStaticFilesStorage

IMPORT = r'(?P<matched>(?P<import>\bimport\s(?:[^"();]*\sfrom\s)?)"(?P<url>\.[^"]+)";)'


class ModuleManifestStaticFilesStorage(CompressedManifestStaticFilesStorage):
    """Imports of our modules name the hashed files, so that no browser mixes an old module with a
    new one. Django's own `support_js_module_import_aggregation` does it for the files of packages
    too, of which some import what is not among them (django_htmx). Modules must not import each
    other in a circle: their hashes would never settle."""

    patterns = (
        *CompressedManifestStaticFilesStorage.patterns,
        ("js/*.js", ((IMPORT, '%(import)s"%(url)s";'),)),
    )
