"""How Sphinx makes the site. Its source is what stage.py lays out."""

from pathlib import Path

project = "Belfry"
html_title = "Belfry"
author = "the Belfry contributors"
language = "en"

extensions = ["myst_parser"]
exclude_patterns = [".doctrees"]
# Headings get the anchors that hosts of Markdown give them, so that links mean the same here and there.
myst_heading_anchors = 4
# A block without a language is text.
highlight_language = "none"

html_theme = "furo"
templates_path = ["templates"]
html_static_path = ["static"]
html_css_files = ["belfry.css"]
html_js_files = ["belfry.js"]
html_favicon = "static/belfry.svg"
html_theme_options = {"top_of_page_buttons": []}
html_search_scorer = str(Path(__file__).with_name("scorer.js"))
html_copy_source = False
html_show_copyright = False
html_use_index = False
html_domain_indices = False
# Those that one can read in the dark and in the sun.
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"


def setup(app):
    app.connect("html-page-context", without_empty_headings)


def without_empty_headings(app, page, template, context, doctree):
    """A column that speaks for itself has no heading, which Markdown cannot say."""
    if "body" in context:
        context["body"] = context["body"].replace('<th class="head"><p></p></th>', "<td></td>")
