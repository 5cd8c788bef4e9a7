// What can be scrolled can be reached by the keyboard, too; what fits is no stop on the way.
const observer = new ResizeObserver(entries => {
  for (const { target } of entries) {
    if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
    else target.removeAttribute("tabindex");
  }
});
for (const element of document.querySelectorAll(".highlight pre, .table-wrapper")) observer.observe(element);

// Files do not let each other be read, so there is nothing to show around the words that were found.
if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
