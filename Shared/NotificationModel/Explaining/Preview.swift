import Foundation

/// A type, data and a reader's locale: what somebody would get, to whom nothing is sent. Unknown fields are refused by name, as
/// with a send.
public struct Preview: Sendable, FieldReadable {
  /// What is sent on one channel.
  public struct Rendering: Sendable, Equatable {
    public let channel: Channel
    public let text: NotificationTemplate.Text
  }

  /// The type in a language.
  public struct Renderings: Sendable {
    public let type: NotificationType
    /// That of the texts, which may be more general than the reader's or another one.
    public let locale: String
    /// By ascending code of the channel.
    public let channels: [Rendering]
    /// Nil where there is no email channel.
    public let mail: Mail?
  }

  /// Where the link that stops a mail stands: a mail's own names its reader.
  static let exampleLink = "https://belfry.example/unsubscribe/example"

  private let type: Catalogue.Reference
  /// Nil means the type's example.
  private let data: [String: String]?
  /// Nil is a reader of whom nothing is known.
  private let locale: String?

  public init?(_ reader: FieldReader) {
    reader.refuseUnknown(known: ["type", "data", "locale"])
    let type = SendRequest.type(reader)
    data = reader.isPresent("data") ? reader.object("data") { $0.data() }?.texts ?? [:] : nil
    locale = reader.text("locale", limit: 35)
    if let locale, LocaleName.canonical(locale) == nil {
      reader.problem("locale", "expected a locale such as de or de-AT")
    }
    guard let type else { return nil }
    self.type = type
  }

  /// The texts as routing words them for such a reader, whose clocks show UTC. All channels say the same; a push that is larger
  /// than its provider takes is shortened where it is sent.
  ///
  /// - Throws: ``ValidationError`` naming `type`, the missing `data.<variable>`s, also those that only the mail's own texts need, or the
  ///   `title` or `body` that is too long.
  public func render(in catalogue: Catalogue) throws(ValidationError) -> Renderings {
    let data = self.data ?? catalogue.type(self.type)?.example ?? [:]
    let type = try catalogue.resolve(self.type, data: data)
    let text = type.template.render(title: nil, body: nil, data: data, locale: locale)
    guard text.excess.isEmpty else { throw ValidationError(text.excess.map { FieldError($0.rawValue, $0.problem) }) }
    return Renderings(
      type: type,
      locale: type.template.language(for: locale),
      channels: catalogue.channels.map { Rendering(channel: $0.channel, text: text) },
      mail: try mail(of: type, text, data, in: catalogue)
    )
  }

  private func mail(
    of type: NotificationType,
    _ text: NotificationTemplate.Text,
    _ data: [String: String],
    in catalogue: Catalogue
  ) throws(ValidationError) -> Mail? {
    guard catalogue.channels.contains(where: { $0.channel == .email }) else { return nil }
    let reader = Wording.Reader(locale: locale)
    let missing = type.mailTexts?.missing(in: data).sorted() ?? []
    guard missing.isEmpty else {
      throw ValidationError(missing.map { FieldError("data.\($0)", "is required by the mail of \(type.name)") })
    }
    let content = NotificationContent(
      type: type,
      text: text,
      data: type.carried(of: data),
      relatedEntityType: nil,
      relatedEntityId: nil,
      collapseKey: nil,
      createdAt: .distantPast,
      expiresAt: .distantFuture
    )
    return Mail(content, by: catalogue, for: reader, unsubscribe: type.mail.mayUnsubscribe ? Self.exampleLink : nil)
  }
}
