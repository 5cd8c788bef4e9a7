/// Limits and trust of an ``HTTPClient`` or ``HTTP2Client``.
public struct HTTPClientConfiguration: Sendable {
  /// Connections to one host and port at a time; HTTP/2 opens the second when the streams of the first are taken, and as many again may
  /// have their last answers coming. An answer that is handed on has one of its own.
  public var maximumConnectionsPerHost = 2

  /// Requests at a time on one HTTP/2 connection; the server may allow fewer.
  public var maximumStreamsPerConnection = 100

  /// Whether the first request on an HTTP/2 connection waits until the server has told its settings: for servers that take
  /// fewer at first than others do.
  public var awaitsSettings = false

  /// An HTTP/2 connection on which nothing came for so long is sent a PING, and dropped if that is not answered within
  /// ``timeout``; nil: none is.
  public var pingAfter: Duration?

  /// A PEM file with the certificate authorities to trust instead of the system's.
  public var caFile: String?

  /// Whether addresses in private networks and on this machine are never connected to, wherever a server's name leads: for
  /// servers that strangers name.
  public var publicAddressesOnly = false

  /// From `send` to the last byte of the answer, waiting for a connection included; a request may set its own. When an answer
  /// is handed on: to its first piece, and again for each that follows.
  public var timeout: Duration = .seconds(30)

  /// For name lookup, TCP and TLS together.
  public var connectTimeout: Duration = .seconds(5)

  /// Requests that a client takes beyond the streams of one host's connections, to whichever host; the next one is refused as
  /// overloaded.
  public var maximumWaiting = 10_000

  /// In bytes; a larger answer fails as too large.
  public var maximumResponseBody = 1_048_576

  public init() {}

  /// Those that a client takes in all, running or waiting.
  var maximumRequests: Int { maximumConnectionsPerHost * maximumStreamsPerConnection + maximumWaiting }
}
