public import Foundation

/// Sends notifications, reports events and keeps schedules, for a backend: over REST, with retries.
///
/// One value serves a whole program; copies share the transport's connections. Each call that changes something has an `Idempotency-Key`,
/// which is made once and kept in all of its attempts, so that a lost answer notifies nobody twice.
///
/// All calls throw `CancellationError` if their task is cancelled, and otherwise ``SenderError``.
public struct BelfrySender: Sendable {
  let caller: Caller

  /// - Parameters:
  ///   - gateway: Where Belfry is: `https://belfry.example.com`, also with a path that a proxy adds.
  ///   - credential: A token of the role `service`, or an API key.
  ///   - retries: How often, and for how long.
  ///   - transport: Makes single attempts.
  ///   - clock: Time, for tests.
  /// - Throws: ``SenderError`` with the code `invalid` for an address that is none.
  public init(
    gateway: URL,
    credential: SenderCredential,
    retries: RetryPolicy = RetryPolicy(),
    transport: any SenderTransport = URLSessionSenderTransport(),
    clock: any SenderClock = SystemSenderClock()
  ) throws(SenderError) {
    try self.init(gateway, credential, retries, transport, clock) { Double.random(in: 0...1) }
  }

  /// - Parameter random: From 0 to 1, for pauses.
  init(
    _ gateway: URL,
    _ credential: SenderCredential,
    _ retries: RetryPolicy,
    _ transport: any SenderTransport,
    _ clock: any SenderClock,
    random: @escaping @Sendable () -> Double
  ) throws(SenderError) {
    guard ["http", "https"].contains(gateway.scheme?.lowercased()), gateway.host()?.isEmpty == false,
      gateway.query() == nil, gateway.fragment() == nil, gateway.user() == nil
    else { throw SenderError([FieldError("gateway", "expected an address such as https://belfry.example.com")]) }
    var address = gateway.absoluteString
    while address.hasSuffix("/") { address.removeLast() }
    caller = Caller(
      gateway: address,
      credential: credential,
      retries: retries,
      transport: transport,
      clock: clock,
      random: random
    )
  }

  // MARK: Sending

  /// Notifies people. When it returns, Belfry has stored the request.
  ///
  /// - Parameter key: An `Idempotency-Key` of 1 to 255 visible ASCII characters that outlives your process, such as `order-17-paid`: the same
  ///   request with the same key is sent once, for two days. Made for this call, unless given.
  @discardableResult
  public func send(_ request: SendRequest, key: String? = nil) async throws -> AcceptedSend {
    let call = try Self.post(["notifications"], request.body(), key: key)
    return try await caller.perform(call) { response, _ in
      guard response.status == 202 else { return nil }
      return .done(try SenderJSON.decode(AcceptedDocument.self, response).send)
    }
  }

  /// Reports what happened: to those who are connected now, and to the catalogue's rules. When it returns, Belfry has stored the event.
  ///
  /// - Parameter key: As in ``send(_:key:)``.
  @discardableResult
  public func report(_ event: EventReport, key: String? = nil) async throws -> AcceptedEvent {
    let call = try Self.post(["events"], event.body(), key: key)
    return try await caller.perform(call) { response, _ in
      guard response.status == 202 else { return nil }
      let accepted = try SenderJSON.decode(AcceptedDocument.self, response)
      return .done(AcceptedEvent(eventID: accepted.requestId))
    }
  }

  // MARK: Calls

  static func post(_ path: [String], _ body: Data, key: String?) throws(SenderError) -> Call {
    Call(method: "POST", path: path, body: body, idempotencyKey: try idempotencyKey(key))
  }

  /// The caller's own, or a new one.
  ///
  /// - Throws: ``SenderError`` with the code `invalid`.
  static func idempotencyKey(_ own: String?) throws(SenderError) -> String {
    guard let own else { return UUID().uuidString.lowercased() }
    var checks = FieldChecks()
    _ = checks.key(own, "Idempotency-Key", limit: 255)
    guard checks.errors.isEmpty else { throw SenderError(checks.errors) }
    return own
  }
}
