public import Foundation
import BelfryJSON

/// How many elements of a stream wait to be read.
private let bound = 1_024

extension BelfryClient {
  /// Notifications that come, each once; those that were there before are in ``list(_:)``.
  public nonisolated var notifications: AsyncStream<ReceivedNotification> {
    session.outlets.notifications.stream(bound: bound)
  }

  /// How many are unread: what the server says, and what this user does here. Begins with the latest.
  public nonisolated var unreadCounts: AsyncStream<Int> { session.outlets.unreadCounts.stream(bound: 1) }

  /// What changes in the inbox. Ends in ``InboxChange/reloaded`` where more waited than is kept.
  public nonisolated var changes: AsyncStream<InboxChange> {
    session.outlets.changes.stream(bound: bound, loss: .reloaded)
  }

  /// How the connection is. Begins with the state that it has, and names none twice in a row.
  public nonisolated var states: AsyncStream<ConnectionState> { session.outlets.stateStream() }

  /// What failed: operations that were taken back, lists that could not be read, connections that were lost.
  public nonisolated var errors: AsyncStream<BelfryError> { session.outlets.errors.stream(bound: bound) }

  /// Events that the hub relays, such as `BalanceUpdated`. What does not decode is one of ``errors``.
  ///
  /// - Parameters:
  ///   - name: The event's, in the catalogue's case.
  ///   - arguments: The names of the payload's members in the order in which the catalogue sends them, where it sends them apart.
  ///   - type: What a payload is read as.
  ///   - decoder: By default it reads times as the server writes them.
  public nonisolated func events<Payload: Decodable & Sendable>(
    _ name: String,
    arguments: [String] = [],
    as type: Payload.Type,
    decoder: @escaping @Sendable () -> JSONDecoder = { .belfry() }
  ) -> AsyncStream<Payload> {
    let errors = session.outlets.errors
    return session.outlets.events.stream(bound: bound) { event in
      guard event.name == name else { return nil }
      do {
        return try decoder().decode(type, from: Data(JSONWriter.text(event.payload(arguments)).utf8))
      } catch {
        errors.send(BelfryError(.malformed, detail: "The event \(name) has another payload."))
        return nil
      }
    }
  }
}

extension JSONDecoder {
  /// Reads times as the server writes them: RFC 3339.
  public static func belfry() -> JSONDecoder {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .custom { decoder in
      let container = try decoder.singleValueContainer()
      guard let date = WireDate.parse(try container.decode(String.self)) else {
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "expected a time by RFC 3339")
      }
      return date
    }
    return decoder
  }
}
