public import Foundation

/// A connection to the hub that carries text. ``EventStreamTransport`` on Linux, `WebSocketTransport` on Apple's platforms.
public protocol LiveTransport: Sendable {
  /// As the hub's negotiation names it: `WebSockets`, `ServerSentEvents`.
  var name: String { get }

  /// Opens the connection that was negotiated, and returns when text can go both ways.
  ///
  /// - Parameters:
  ///   - url: The hub's address with the connection's token in `id`, by `http` or `https`.
  ///   - token: The user's, for the header `Authorization`.
  ///   - http: Carries what the client sends where the connection itself cannot.
  /// - Throws: ``BelfryError``.
  func open(_ url: URL, token: String, via http: any HTTPTransport) async throws -> any LiveChannel
}

/// An open connection.
public protocol LiveChannel: Sendable {
  /// What arrives, in pieces of any size. Ends when the server closes; throws ``BelfryError`` when the connection is lost.
  var incoming: AsyncThrowingStream<String, any Error> { get }

  /// Sends a text after those before it.
  func send(_ text: String) async throws

  /// Ends the connection, and ``incoming`` with it. A second call does nothing.
  func close()
}

/// The longest message of the hub that is taken, in bytes.
let longestHubRecord = 1 << 20

/// The transport that Foundation has on this platform.
func defaultLiveTransport() -> any LiveTransport {
  #if canImport(Darwin)
    WebSocketTransport()
  #else
    EventStreamTransport()
  #endif
}
