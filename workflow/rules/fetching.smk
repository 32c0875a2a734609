"""
What lies elsewhere, brought here by the engine's storage plugins.

INPUTS: URLs of sources, or results in a storage.
OUTPUTS: fetched(), fetch(): copies in the folder of the run.
"""

from snakemake.common import async_run

from costcurves.tables.input.databases import is_database, query
from costcurves.tables.input.remote import copy_of, not_fetchable, package_of, plugin_of


def fetched(kept):
    """Bring an object of a storage here, instead of a copy of it; say whether there is one."""

    async def brought():
        found = await kept.managed_exists()
        if found:
            await kept.managed_retrieve()
        return found

    Path(kept.local_path()).unlink(missing_ok=True)
    return async_run(brought())


def fetch(urls):
    """Fetch sources; give those of which there is no copy now, with what to say of each."""
    return {url: why for url in urls if (why := not_fetchable(url) or missing(url))}


def missing(url):
    """Fetch a source, or ask a database; say why that could not be."""
    try:
        if is_database(url):
            return query(url, copy_of(url))
        kept = getattr(storage, plugin_of(url))(url).flags["storage_object"]
        kept.set_local_path(copy_of(url))
        if fetched(kept):
            return None
        why = "there is no such file, or none that these credentials may read"
    except Exception as error:  # whatever a plugin or its library raises
        cause = error
        while cause.__context__ is not None:
            cause = cause.__context__
        why = (str(cause) or type(cause).__name__).splitlines()[0]
    if is_database(url):
        return f"can't be read ({why}); mend its query"
    mend = (
        f"mend its name, or the server and credentials that {package_of(url)} is told"
    )
    return f"can't be fetched ({why}); {mend}"
