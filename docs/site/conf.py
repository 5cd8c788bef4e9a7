"""How Sphinx makes the site. Its source is what stage.py lays out."""

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
html_favicon = "static/belfry.svg"
html_theme_options = {"top_of_page_buttons": []}
html_copy_source = False
html_show_copyright = False
html_use_index = False
html_domain_indices = False
pygments_style = "friendly"
pygments_dark_style = "github-dark"
