public import Foundation
public import UserIdentity

/// "This happened, notify these people": what `POST /api/v1/notifications` and `belfry.ingest` take.
///
/// Unknown fields are refused by name: a typo must not silently change who is notified.
public struct SendRequest: Sendable, FieldReadable {
  public var audience: Audience
  /// The audience's ids that others may stand for as well: claimed before anything is sent.
  public let contestedUsers: [UserIdentifier]
  public var type: Catalogue.Reference
  public var title: String?
  public var body: String?
  /// Template variables, and the payload for deep links. Numbers and booleans are taken as their text.
  public var data: [String: String]
  /// Names of the data's values that came as numbers or booleans; see ``DataLiteral``.
  public var literals: Set<String>
  public var relatedEntityType: String?
  public var relatedEntityID: String?
  /// Narrows what preferences allow; nil means all channels.
  public var channels: Set<Channel>?
  public var expiresAt: Date?
  /// When it is to be sent; nil, or a time that had passed when it was accepted, is at once: see ``waits(since:)``.
  public var sendAt: Date?
  /// Notifications with the same key replace each other on the device.
  public var collapseKey: String?
  /// For the inbox alone, such as what is imported as history.
  public var isSilent: Bool

  /// Names and values together, in bytes.
  public static let maximumData = DataName.maximumTotal

  static let fields: Set<String> = [
    "to", "type", "title", "body", "data", "relatedEntityType", "relatedEntityId", "channels", "sendAt", "expiresAt",
    "collapseKey", "silent",
  ]

  public init?(_ reader: FieldReader) {
    self.init(reader, beside: [])
  }

  /// - Parameters:
  ///   - others: Fields of the same object that others read.
  ///   - given: The type, where the object need not name it.
  init?(_ reader: FieldReader, beside others: Set<String>, type given: Catalogue.Reference? = nil) {
    reader.refuseUnknown(known: Self.fields.union(others))
    var contested: [UserIdentifier] = []
    let audience = Audience.read("to", of: reader, contested: &contested)
    contestedUsers = contested
    let type = given ?? Self.type(reader)
    title = reader.text("title", limit: TextField.title.limit)
    body = reader.text("body", limit: TextField.body.limit, allowsLineBreaks: true)
    (data, literals) = reader.object("data") { $0.data() } ?? ([:], [])
    relatedEntityType = reader.text("relatedEntityType", limit: 64)
    relatedEntityID = reader.text("relatedEntityId", limit: 128)
    channels = Self.channels(reader)
    expiresAt = reader.time("expiresAt")
    collapseKey = reader.text("collapseKey", limit: 64)
    // Apple takes at most 64 bytes for apns-collapse-id.
    if let key = collapseKey, key.isEmpty || !key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) {
      reader.problem("collapseKey", "expected 1 to 64 visible ASCII characters")
    }
    sendAt = reader.time("sendAt")
    if let sendAt, let expiresAt, expiresAt <= sendAt { reader.problem("expiresAt", "must be later than sendAt") }
    isSilent = reader.optional("silent", Bool.self, expected: "true or false") ?? false
    if case .topic = audience { Self.checkTopic(channels, isSilent: isSilent, reader) }
    guard let audience, let type else { return nil }
    self.audience = audience
    self.type = type
  }

  /// The type of a request that is still to be accepted: like ``resolve(in:knowing:)``, but refused as well if its texts are too
  /// long once they are filled in, for readers of any language that there are texts in.
  ///
  /// - Throws: ``ValidationError`` naming also `title` and `body`.
  @discardableResult
  public func accept(in catalogue: Catalogue) throws(ValidationError) -> NotificationType {
    let type = try resolve(in: catalogue)
    if case .topic = audience { try checkTopicData(of: type) }
    let excess = type.template.excess(title: title, body: body, data: data)
    guard excess.isEmpty else { throw ValidationError(excess.map { FieldError($0.rawValue, $0.problem) }) }
    return type
  }

  /// The request's type and every reason why the catalogue cannot serve it.
  ///
  /// - Parameter facts: What the texts may use beside the data.
  /// - Throws: ``ValidationError`` naming `type` or the missing `data.<variable>`s.
  public func resolve(
    in catalogue: Catalogue,
    knowing facts: [String: String] = [:]
  ) throws(ValidationError) -> NotificationType {
    try catalogue.resolve(
      type,
      data: facts.isEmpty ? data : data.merging(facts) { $1 },
      hasTitle: title != nil,
      hasBody: body != nil
    )
  }

  // MARK: Fields

  static func type(_ reader: FieldReader) -> Catalogue.Reference? { reader.typeReference("type") }

  private static func channels(_ reader: FieldReader) -> Set<Channel>? {
    let values = reader.optional(
      "channels",
      [Scalar].self,
      expected: "a list of channels: \(Channel.known(among: reader.routing).joined(separator: ", "))"
    )
    guard let values else { return nil }
    var channels = Set<Channel>()
    for (index, value) in values.enumerated() {
      if value.integer == 99 {
        channels.formUnion(reader.routing.map(\.channel))
      } else if let channel = channel(value, among: reader.routing) {
        channels.insert(channel)
      } else {
        reader.problem("channels[\(index)]", "expected \(Channel.alternatives(among: reader.routing))")
      }
    }
    if values.isEmpty { reader.problem("channels", "must not be empty") }
    return channels
  }

  private static func channel(_ value: Scalar, among channels: [any RoutingChannel]) -> Channel? {
    if let code = value.integer { return Channel(code: code, among: channels) }
    if case .text(let name) = value { return Channel(name: name, among: channels) }
    return nil
  }
}
