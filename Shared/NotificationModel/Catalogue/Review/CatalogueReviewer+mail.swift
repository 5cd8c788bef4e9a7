/// Mails that mail providers refuse sooner or later.
extension CatalogueReviewer {
  /// Source: https://support.google.com/a/answer/81126 ("Marketing messages and subscribed messages must support one-click unsubscribe")
  var mailFindings: [CatalogueProblem] {
    form.categories.compactMap { category in
      guard category.mail.stream == .bulk, !category.mail.mayUnsubscribe else { return nil }
      let path = document.path("categories", named: category.name)
      let words =
        "bulk mail that nobody can stop by one click is refused by Gmail, Yahoo and Outlook: add unsubscribe: true"
      return document.problem("\(path).mail", words)
    }
  }
}
