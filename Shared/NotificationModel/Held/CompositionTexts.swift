/// What a push says that tells several of any type: a template per locale over `count`, `titles` (the first of them) and
/// `others` (how many more there are; absent if there are none).
public struct CompositionTexts: Sendable {
  public var template: LocalizedTemplate
  /// How many titles are told.
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
    // Those that the titles stand for are told.
    let told = Set(distinct.prefix(titles))
    let others = items.count { !told.contains($0.title) }
    if others > 0 { data["others"] = String(others) }
    return template.render(title: nil, body: nil, data: data, locale: locale)
  }
}
