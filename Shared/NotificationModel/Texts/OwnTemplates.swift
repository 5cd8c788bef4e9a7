/// Title and body of a schedule's own: one template each for all readers, whose values each reader gets in their formats.
public struct OwnTemplates: Sendable {
  /// Nil means that the schedule has none of its own.
  public let title: String?
  /// Nil means that the schedule has none of its own.
  public let body: String?
  // Read once: a text is filled in for each way of reading it.
  private let titlePart: NotificationTemplate.Part?
  private let bodyPart: NotificationTemplate.Part?

  public init(title: String? = nil, body: String? = nil) {
    self.title = title
    self.body = body
    titlePart = title.flatMap(Self.part)
    bodyPart = body.flatMap(Self.part)
  }

  /// What is no template is sent as it is: who accepted the schedule has checked it.
  private static func part(_ text: String) -> NotificationTemplate.Part? {
    do throws(CatalogueError) {
      return try NotificationTemplate.Part(text)
    } catch {
      return nil
    }
  }

  /// The filters that they put values through.
  var filters: Set<TextFilter.Name> { (titlePart?.filters ?? []).union(bodyPart?.filters ?? []) }

  /// The template of a field; nil for what is not there, or no template.
  func part(_ field: TextField) -> NotificationTemplate.Part? {
    switch field {
    case .title: titlePart
    case .body: bodyPart
    }
  }
}

extension OwnTemplates: Equatable {
  public static func == (left: OwnTemplates, right: OwnTemplates) -> Bool {
    left.title == right.title && left.body == right.body
  }
}
