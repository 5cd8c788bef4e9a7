/// What mails look like.
extension CatalogueDifference {
  mutating func compareLayouts(_ old: MailLayout, _ new: MailLayout) {
    for (before, after) in zip(old.aspects, new.aspects) where before.value != after.value {
      add(
        .otherChanged,
        "mailLayout",
        "Of the layout of mails, \(after.name): \(after.value) instead of \(before.value)."
      )
    }
    for (name, before, after) in [
      ("footer", old.footer?.values ?? [:], new.footer?.values ?? [:]),
      ("link to unsubscribe", old.unsubscribe.values, new.unsubscribe.values),
    ] {
      compare(texts: before, after, "mailLayout", "Of the layout of mails, the \(name)")
    }
    guard old.template.source != new.template.source else { return }
    let former = Self.words(of: old.template.source)
    add(
      .otherChanged,
      "mailLayout",
      "Of the layout of mails, the HTML: \(Self.words(of: new.template.source)) instead of \(former)."
    )
  }

  private static func words(of source: String) -> String {
    source == MailLayout.source ? "the built-in" : "the file's own of \(source.utf8.count) bytes"
  }
}
