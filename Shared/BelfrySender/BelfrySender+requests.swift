public import Foundation

extension BelfrySender {
  /// What became of a send, in numbers. An API key needs the scope `read`.
  ///
  /// - Returns: Nil if no router has routed it yet, if it is another's, or if it is too old. Ask again after a second, and give up after a
  ///   minute.
  public func status(of requestID: UUID) async throws -> RequestStatus? {
    let call = Call(method: "GET", path: ["requests", requestID.uuidString.lowercased()])
    return try await caller.perform(call) { response, _ in
      switch response.status {
      case 200: .done(try SenderJSON.decode(RequestStatus.self, response))
      case 404 where SenderProblem(response)?.kind == .notFound: .done(nil)
      default: nil
      }
    }
  }

  /// Cancels what of a send is held or scheduled. A repetition takes back nothing more.
  ///
  /// - Parameter withdrawing: Also takes its notifications out of inboxes. While the answer is not complete, call again.
  /// - Returns: What this attempt took back; after a lost answer, that of an earlier attempt is not counted.
  @discardableResult
  public func cancel(_ requestID: UUID, withdrawing: Bool = false) async throws -> RequestCancellation {
    var call = Call(method: "DELETE", path: ["requests", requestID.uuidString.lowercased()])
    if withdrawing { call.query = [("withdraw", "true")] }
    return try await caller.perform(call) { response, _ in
      guard response.status == 200 else { return nil }
      return .done(try SenderJSON.decode(RequestCancellation.self, response))
    }
  }
}
