public import Foundation

/// A send that Belfry has stored.
public struct AcceptedSend: Sendable, Equatable {
  /// Asks for its status, and cancels it.
  public let requestID: UUID
  /// Whether it waits for its ``SendRequest/at(_:)``.
  public let isScheduled: Bool
}

/// What became of one send of a bulk call.
public enum BulkResult: Sendable, Equatable {
  case accepted(AcceptedSend)
  /// The request is wrong; the others are not affected. Paths are within the item.
  case invalid([FieldError])
  /// The broker did not confirm it, in any attempt. The same call with the same key tries it again, and sends no other item twice.
  case unavailable([FieldError])

  /// Nil unless it was accepted.
  public var accepted: AcceptedSend? {
    if case .accepted(let send) = self { return send }
    return nil
  }
}

/// An event that Belfry has stored.
public struct AcceptedEvent: Sendable, Equatable {
  /// The event's own; no request has it.
  public let eventID: UUID
}

// MARK: On the wire

struct AcceptedDocument: Decodable {
  let requestId: UUID
  let status: String

  var send: AcceptedSend { AcceptedSend(requestID: requestId, isScheduled: status == "scheduled") }
}

struct BulkDocument: Decodable {
  struct Item: Decodable {
    let index: Int
    let status: String
    let requestId: UUID?
    let errors: [FieldError]?

    /// Nil for a status without what belongs to it.
    var result: BulkResult? {
      switch status {
      case "accepted", "scheduled":
        requestId.map { .accepted(AcceptedSend(requestID: $0, isScheduled: status == "scheduled")) }
      case "invalid": .invalid(errors ?? [])
      // What a later version may answer is not accepted, as far as we can know.
      default: .unavailable(errors ?? [])
      }
    }
  }

  let results: [Item]

  /// By the index of the item sent.
  ///
  /// - Throws: `DecodingError` unless each item has one result.
  func results(of count: Int) throws -> [BulkResult] {
    var results = [BulkResult?](repeating: nil, count: count)
    for item in self.results where results.indices.contains(item.index) { results[item.index] = item.result }
    guard results.allSatisfy({ $0 != nil }) else {
      throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "an item has no result"))
    }
    return results.compactMap(\.self)
  }
}
