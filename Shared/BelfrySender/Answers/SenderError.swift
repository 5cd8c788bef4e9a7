/// Why a call of ``BelfrySender`` did not succeed.
public struct SenderError: Error, Sendable, CustomStringConvertible {
  /// What kind of failure it is; later versions may have more.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    public let description: String

    private init(_ description: String) { self.description = description }

    /// The request is wrong, and nothing was sent: ``SenderError/fields`` says what.
    public static let invalid = Code("invalid")
    /// There is no token or API key: `cause` is what its closure threw.
    public static let credential = Code("credential")
    /// The gateway refused the request, and would refuse it again: see `problem`. Of a field, ``SenderError/fields`` says what.
    public static let refused = Code("refused")
    /// The gateway has too much to do, or a part of it is away, and all attempts are used up.
    public static let unavailable = Code("unavailable")
    /// There was no answer, or none that can be read, and all attempts are used up.
    public static let noAnswer = Code("noAnswer")
    /// What answered is no Belfry: the address may be wrong.
    public static let foreignAnswer = Code("foreignAnswer")
  }

  public let code: Code
  /// Of the last answer, if it was one.
  public internal(set) var problem: SenderProblem?
  /// Which fields are wrong, as ``BelfrySender`` found before sending, or as the gateway said.
  public internal(set) var fields: [FieldError] = []
  /// Of the last answer, if there was one.
  public internal(set) var status: Int?
  /// How often the call was attempted.
  public internal(set) var attempts = 0
  /// Whether the gateway may have done what was asked although nobody said so.
  ///
  /// The same call with the same ``idempotencyKey`` finds out, and does nothing a second time, for two days.
  public internal(set) var isUncertain = false
  /// The key of the call; nil for a call without one.
  public internal(set) var idempotencyKey: String?
  /// What the gateway asked to wait before the next call.
  public internal(set) var retryAfter: Duration?
  /// What the closure for the credential, or the transport, threw.
  public let cause: (any Error)?
  private let message: String

  init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  /// Of a request that is wrong.
  init(_ fields: [FieldError]) {
    self.init(.invalid, fields.map(\.description).joined(separator: "; "))
    self.fields = fields
  }

  /// Safe to log: without secrets and without what was to be sent.
  public var description: String {
    let how = attempts > 1 ? ", after \(attempts) attempts" : ""
    return "\(code): \(message)\(how)"
  }
}
