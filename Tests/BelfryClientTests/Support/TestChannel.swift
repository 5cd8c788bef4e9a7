import Foundation
import BelfryJSON
import Testing

@testable import BelfryClient

/// A connection to a hub that a test plays.
final class TestChannel: LiveChannel {
  let incoming: AsyncThrowingStream<String, any Error>
  private let server: AsyncThrowingStream<String, any Error>.Continuation
  private let texts = Locked<[String]>([])
  private let closed = Locked(false)
  private let onText: @Sendable (TestChannel, JSONValue) -> Void

  /// - Parameter onText: What the hub does with each message of the client.
  init(_ onText: @escaping @Sendable (TestChannel, JSONValue) -> Void = { _, _ in }) {
    (incoming, server) = AsyncThrowingStream.makeStream()
    self.onText = onText
  }

  /// What the client said, without its ends of records.
  var sent: [String] { texts.withLock { $0 } }
  var isClosed: Bool { closed.withLock { $0 } }

  func send(_ text: String) async throws {
    if isClosed { throw BelfryError(.unavailable) }
    let record = String(text.dropLast())
    texts.withLock { $0.append(record) }
    onText(self, try JSONParser.parse(Array(record.utf8)))
  }

  func close() {
    closed.withLock { $0 = true }
    server.finish()
  }

  // MARK: The hub's side

  func say(_ text: String) {
    server.yield(text + "\u{1E}")
  }

  /// In pieces as they are.
  func sayRaw(_ text: String) {
    server.yield(text)
  }

  func call(_ target: String, _ arguments: String) {
    say(#"{"type":1,"target":"\#(target)","arguments":[\#(arguments)]}"#)
  }

  /// The line is cut.
  func cut() {
    closed.withLock { $0 = true }
    server.finish(throwing: BelfryError(.unavailable))
  }
}
