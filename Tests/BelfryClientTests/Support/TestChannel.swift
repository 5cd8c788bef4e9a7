import BelfryClient
import Foundation
import Testing

/// A connection to a hub that a test plays.
final class TestChannel: LiveChannel {
  let incoming: AsyncThrowingStream<String, any Error>
  private let server: AsyncThrowingStream<String, any Error>.Continuation
  private let texts = Locked<[String]>([])
  private let closed = Locked(false)

  init() {
    (incoming, server) = AsyncThrowingStream.makeStream()
  }

  /// What the client said, without its ends of records.
  var sent: [String] { texts.withLock { $0 } }
  var isClosed: Bool { closed.withLock { $0 } }

  func send(_ text: String) async throws {
    if isClosed { throw BelfryError(.unavailable) }
    texts.withLock { $0.append(String(text.dropLast())) }
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
