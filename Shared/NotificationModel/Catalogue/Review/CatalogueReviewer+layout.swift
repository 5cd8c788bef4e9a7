import BelfryJSON

/// What readers of mails could not see.
extension CatalogueReviewer {
  var layoutFindings: [CatalogueProblem] { unreadableColors + missingInLayout }

  private var unreadableColors: [CatalogueProblem] {
    guard let layout = form.mailLayout else { return [] }
    return [("colors", layout.colors), ("darkColors", layout.darkColors)].flatMap { field, colors in
      colors.unreadable.map { name, contrast in
        let words =
          "people cannot read \(name) on surface: its contrast is \(Self.rounded(contrast)), and 4.5 is needed"
        return document.problem("mailLayout.\(field)", words)
      }
    }
  }

  /// What readers of such mails must find in them: the link that stops them, and who sends advertisements from where.
  private var missingInLayout: [CatalogueProblem] {
    let layout = merge.mailLayout
    let shown = layout.template.variables
    var found: [CatalogueProblem] = []
    if !shown.contains("unsubscribe"), let path = place(of: "mailLayout.html", for: \.mayUnsubscribe) {
      let words = "readers see no link that stops such mails: the HTML lacks {{unsubscribe}}"
      found.append(document.problem(path, words))
    }
    if !shown.contains("address"), let path = place(of: "mailLayout.html", for: { $0.stream == .bulk }) {
      found.append(document.problem(path, "readers of bulk mail see no postal address: the HTML lacks {{address}}"))
    } else if layout.address == nil, let path = place(of: "mailLayout", for: { $0.stream == .bulk }) {
      let words = "bulk mail needs a postal address by the laws of many countries: add mailLayout.address"
      found.append(document.problem(path, words))
    }
    return found
  }

  /// Where it is said: at the layout if the file has that, else at the file's first such category. Nil if neither is the file's, or there is
  /// no such category.
  private func place(of field: String, for needs: (MailHandling) -> Bool) -> String? {
    let hasField = field == "mailLayout" ? form.mailLayout != nil : document.json["mailLayout"]?["html"] != nil
    if hasField { return merge.categories.contains { needs($0.mail) } ? field : nil }
    return form.categories.first { needs($0.mail) }.map { "\(document.path("categories", named: $0.name)).mail" }
  }

  private static func rounded(_ contrast: Double) -> String {
    let tenths = Int(contrast * 10)
    return "\(tenths / 10).\(tenths % 10)"
  }
}
