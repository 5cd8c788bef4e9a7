/// Title and body of a schedule's own: one template each for all readers, whose values each reader gets in their formats.
public struct OwnTemplates: Sendable, Equatable {
  /// Nil means that the schedule has none of its own.
  public var title: String?
  /// Nil means that the schedule has none of its own.
  public var body: String?

  public init(title: String? = nil, body: String? = nil) {
    self.title = title
    self.body = body
  }

  /// What is no template is told as it is: who accepted the schedule has checked it.
  private static func part(_ text: String?) -> NotificationTemplate.Part? {
    guard let text else { return nil }
    do throws(CatalogueError) {
      return try NotificationTemplate.Part(text)
    } catch {
      return nil
    }
  }

  /// The filters that they put values through.
  var filters: Set<TextFilter.Name> {
    [title, body].reduce(into: []) { $0.formUnion(Self.part($1)?.filters ?? []) }
  }

  /// Nil for what is not there, or no template.
  func render(_ data: [String: String], _ formats: TextFormats) -> (title: String?, body: String?) {
    (
      // A title is one line: it becomes the subject of a mail.
      Self.part(title)?.render(data, formats).split(whereSeparator: \.isNewline).joined(separator: " "),
      Self.part(body)?.render(data, formats)
    )
  }
}
