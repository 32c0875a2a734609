"""The documentation as a site: `make docs`. Nothing of it is loaded from elsewhere."""

from pathlib import Path

from pygments.lexers.python import PythonLexer
from sphinx.application import Sphinx

import costcurves

project = "costcurves"
author = "The costcurves developers"
project_copyright = "The costcurves developers"
version = release = costcurves.__version__
extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = ["examples", "files"]
suppress_warnings = [
    "ref.citation",  # a source that no docstring on the site cites
    "sphinx_gallery.space_in_filename",  # of the clone's folder: scripts are linked from inside it
]
templates_path = [str(Path(__file__).parent / "templates")]

html_theme = "pydata_sphinx_theme"
html_title = "costcurves"
html_css_files = ["site.css"]
html_static_path = ["static"]
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {
    "header_links_before_dropdown": 7,
    "navbar_persistent": ["search-button-field"],
    "navigation_with_keys": False,
    "show_toc_level": 2,
    "footer_start": ["copyright"],
    "footer_end": [],
    "secondary_sidebar_items": {"**": ["page-toc"], "index": []},
}
html_sidebars = {"**": ["sidebar-nav-bs"], "index": []}

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4
copybutton_prompt_text = ">>> |... "
copybutton_prompt_is_regexp = True
copybutton_exclude = ".linenos, .gp, .go"

default_role = "literal"
autodoc_typehints = "none"
toc_object_entries_show_parents = "hide"
autodoc_preserve_defaults = True
autosummary_generate = True
numpydoc_citation_re = "(?!)"  # sources are listed once a page, or once for all
numpydoc_show_class_members = False
numpydoc_attributes_as_param_list = True

sphinx_gallery_conf = {
    "examples_dirs": "../../build/pages/examples",
    "gallery_dirs": "gallery",
    "filename_pattern": r"\.py$",
    "within_subsection_order": "FileNameSortKey",
    "image_srcset": ["2x"],
    "remove_config_comments": True,
    "show_memory": False,
    "show_signature": False,
    "min_reported_time": 1e9,
    "write_computation_times": False,
    "parallel": 2,
    "doc_module": ("costcurves",),
    "backreferences_dir": "gallery/of",
    "abort_on_example_error": True,
}


def setup(app: Sphinx) -> None:
    """Colour what is written for the workflow engine as the Python that it nearly is."""
    app.add_lexer("snakemake", PythonLexer)
