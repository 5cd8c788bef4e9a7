/// What readers of mails could not see.
extension CatalogueReviewer {
  var layoutFindings: [CatalogueProblem] {
    guard let layout = form.mailLayout else { return [] }
    return [("colors", layout.colors), ("darkColors", layout.darkColors)].flatMap { field, colors in
      colors.unreadable.map { name, contrast in
        let words =
          "people cannot read \(name) on surface: its contrast is \(Self.rounded(contrast)), and 4.5 is needed"
        return document.problem("mailLayout.\(field)", words)
      }
    }
  }

  private static func rounded(_ contrast: Double) -> String {
    let tenths = Int(contrast * 10)
    return "\(tenths / 10).\(tenths % 10)"
  }
}
