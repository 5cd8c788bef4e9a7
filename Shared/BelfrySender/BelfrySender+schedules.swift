import Foundation

extension BelfrySender {
  /// Makes a schedule, or replaces it. The same again changes nothing.
  ///
  /// - Parameters:
  ///   - name: Your own name for it: 1 to 128 characters.
  ///   - condition: Otherwise the call throws ``SenderError`` with the problem `precondition-failed`.
  ///   - key: As in ``send(_:key:)``.
  @discardableResult
  public func put(
    _ schedule: ScheduleDefinition,
    as name: String,
    if condition: ScheduleCondition = .always,
    key: String? = nil
  ) async throws -> StoredSchedule {
    let call = Call(
      method: "PUT",
      path: ["schedules", try Self.checked(name)],
      headers: condition.headers,
      body: try schedule.body(),
      idempotencyKey: try Self.idempotencyKey(key)
    )
    return try await caller.perform(call) { response, _ in
      guard [200, 201].contains(response.status) else { return nil }
      return .done(try Self.schedule(response))
    }
  }

  /// A schedule of this backend. An API key needs the scope `read`.
  ///
  /// - Returns: Nil if there is none.
  public func schedule(_ name: String) async throws -> StoredSchedule? {
    let call = Call(method: "GET", path: ["schedules", try Self.checked(name)])
    return try await caller.perform(call) { response, _ in
      switch response.status {
      case 200: .done(try Self.schedule(response))
      case 404 where SenderProblem(response)?.kind == .notFound: .done(nil)
      default: nil
      }
    }
  }

  /// This backend's schedules, in the order of their keys. An API key needs the scope `read`.
  ///
  /// - Parameters:
  ///   - last: The last key of the page before; nil begins.
  ///   - count: 1 to 100.
  public func schedules(after last: String? = nil, count: Int = 20) async throws -> SchedulePage {
    guard (1...100).contains(count) else { throw SenderError([FieldError("pageSize", "expected 1 to 100")]) }
    var call = Call(method: "GET", path: ["schedules"], query: [("pageSize", String(count))])
    if let last { call.query.append(("after", try Self.checked(last))) }
    return try await caller.perform(call) { response, _ in
      guard response.status == 200 else { return nil }
      return .done(try SenderJSON.decode(SchedulePage.self, response))
    }
  }

  /// Ends a schedule: nothing is sent for later dates.
  ///
  /// - Parameter version: Ends this version alone; otherwise the call throws ``SenderError`` with the problem `precondition-failed`.
  /// - Returns: Whether there was one.
  @discardableResult
  public func cancelSchedule(_ name: String, version: String? = nil) async throws -> Bool {
    let condition = version.map { ScheduleCondition.version($0) } ?? .always
    let call = Call(method: "DELETE", path: ["schedules", try Self.checked(name)], headers: condition.headers)
    return try await caller.perform(call) { response, mayBeDone in
      switch response.status {
      case 204: .done(true)
      // After a lost answer, it was an earlier attempt that ended it.
      case 404 where SenderProblem(response)?.kind == .notFound: .done(mayBeDone)
      default: nil
      }
    }
  }

  private static func schedule(_ response: TransportResponse) throws -> StoredSchedule {
    var schedule = try SenderJSON.decode(StoredSchedule.self, response)
    schedule.version = response.headers["etag"]
    return schedule
  }

  /// The key of a schedule.
  ///
  /// - Throws: ``SenderError`` with the code `invalid`.
  private static func checked(_ name: String) throws(SenderError) -> String {
    var checks = FieldChecks()
    _ = checks.name(name, "key", limit: 128)
    // HTTP libraries take these out of a path.
    if name == "." || name == ".." { checks.problem("key", "must not be . or ..") }
    guard checks.errors.isEmpty else { throw SenderError(checks.errors) }
    return name
  }
}
