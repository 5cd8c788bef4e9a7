/// What a composition of any types says: a template per locale over `count`, `titles` and `others`.
///
/// `titles` are the first of them. `others` is how many more there are; it is absent if there are none.
public struct CompositionTexts: Sendable {
  public var template: LocalizedTemplate
  /// How many titles are named.
  public var titles: Int

  public init(_ template: LocalizedTemplate, titles: Int = 3) {
    self.template = template
    self.titles = titles
  }

  /// - Parameter items: In their order, at least one.
  func text(of items: [HeldItem], for locale: String?) -> NotificationTemplate.Text {
    var seen = Set<String>()
    let distinct = items.map(\.title).filter { seen.insert($0).inserted }
    var data = ["count": String(items.count), "titles": distinct.prefix(titles).joined(separator: ", ")]
    let named = Set(distinct.prefix(titles))
    let others = items.count { !named.contains($0.title) }
    if others > 0 { data["others"] = String(others) }
    return template.render(title: nil, body: nil, data: data, locale: locale)
  }
}
