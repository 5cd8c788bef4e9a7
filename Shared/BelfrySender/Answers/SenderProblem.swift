/// A problem document (RFC 9457), as the gateway answers it.
public struct SenderProblem: Sendable, Equatable, CustomStringConvertible {
  /// What kind of problem it is; never changes, and later versions may have more.
  public struct Kind: RawRepresentable, Sendable, Hashable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let validation = Kind("validation")
    public static let malformed = Kind("malformed")
    public static let unauthorized = Kind("unauthorized")
    public static let forbidden = Kind("forbidden")
    public static let notFound = Kind("not-found")
    public static let limitReached = Kind("limit-reached")
    public static let identifierTaken = Kind("identifier-taken")
    public static let preconditionFailed = Kind("precondition-failed")
    public static let tooLarge = Kind("too-large")
    public static let idempotencyKeyReused = Kind("idempotency-key-reused")
    public static let tooManyRequests = Kind("too-many-requests")
    public static let internalError = Kind("internal-error")
    public static let unavailable = Kind("unavailable")

    private init(_ name: String) { rawValue = "urn:belfry:problem:\(name)" }
  }

  public let kind: Kind
  public let title: String
  public let status: Int
  public let detail: String?
  /// What is wrong with which field; empty unless ``kind`` is `validation`.
  public let errors: [FieldError]
  /// The gateway's log has it beside this call.
  public let requestID: String?

  public var description: String {
    let words = errors.isEmpty ? [title, detail].compactMap(\.self) : errors.map(\.description)
    return "\(status) \(words.joined(separator: "; "))"
  }
}

extension SenderProblem {
  private struct Document: Decodable {
    let type: String
    let title: String
    let detail: String?
    let errors: [FieldError]?
  }

  /// Nil for an answer that is no problem document, such as that of a proxy.
  init?(_ response: TransportResponse) {
    guard let document = try? SenderJSON.decode(Document.self, response) else { return nil }
    kind = Kind(rawValue: document.type)
    title = document.title
    status = response.status
    detail = document.detail
    errors = document.errors ?? []
    requestID = response.headers["x-request-id"]
  }
}
