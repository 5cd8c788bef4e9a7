import Foundation

extension BelfrySender {
  /// Bytes of a bulk call, and sends in it.
  private static let (maximumBulk, maximumItems) = (8 * 1_024 * 1_024, 1_000)

  /// Sends up to 1,000 requests of up to 8 MiB in one call, each for itself: one that is wrong does not affect the others.
  ///
  /// What the broker did not confirm is tried again with the others, none of which is sent twice, as long as there are attempts left.
  ///
  /// - Parameter key: As in ``send(_:key:)``, for the call as a whole.
  /// - Returns: One result for each request, in their order.
  public func send(_ requests: [SendRequest], key: String? = nil) async throws -> [BulkResult] {
    guard requests.count <= Self.maximumItems else {
      let message = "has \(requests.count) entries; at most \(Self.maximumItems) are allowed"
      throw SenderError([FieldError("items", message)])
    }
    let key = try Self.idempotencyKey(key)
    var nodes: [JSONNode] = []
    /// Nil is one that is sent, in the order of `nodes`.
    let invalid: [BulkResult?] = requests.map { request in
      do throws(SenderError) {
        nodes.append(try request.checkedNode())
        return nil
      } catch {
        return .invalid(error.fields)
      }
    }
    guard !nodes.isEmpty else { return invalid.compactMap(\.self) }
    let body = try JSONNode.object(["items": .list(nodes)]).body(maximum: Self.maximumBulk)
    let count = nodes.count
    let call = try Self.post(["notifications", "bulk"], body, key: key)
    let sent: [BulkResult] = try await caller.perform(call) { response, _ in
      guard response.status == 200 else { return nil }
      let document = try SenderJSON.decode(BulkDocument.self, response)
      let results = try document.results(of: count)
      let isPartial = results.contains { if case .unavailable = $0 { true } else { false } }
      return isPartial ? .partly(results) : .done(results)
    }
    var rest = sent[...]
    return invalid.compactMap { $0 ?? rest.popFirst() }
  }
}

extension SendRequest {
  /// Of a bulk call: as its body would be.
  ///
  /// - Throws: ``SenderError`` with the code `invalid`.
  fileprivate func checkedNode() throws(SenderError) -> JSONNode {
    _ = try body()
    var checks = FieldChecks()
    return node(&checks)
  }
}
