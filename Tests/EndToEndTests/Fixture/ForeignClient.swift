import TestSupport
import Testing

/// A SignalR library from PyPI with a transport and a protocol.
struct ForeignClient: Sendable, CustomTestStringConvertible {
  enum Library: String {
    case pysignalr, signalrcore
  }

  /// The hub's transports, in the order in which it offers them.
  enum HubTransport: String, CaseIterable {
    case webSockets = "WebSockets"
    case serverSentEvents = "ServerSentEvents"
    case longPolling = "LongPolling"
  }

  enum Encoding: String {
    case json
    case messagePack = "messagepack"
  }

  let library: Library
  var transport = HubTransport.webSockets
  var encoding = Encoding.json

  static let pysignalr = ForeignClient(library: .pysignalr)
  static let signalrcore = ForeignClient(library: .signalrcore)

  /// Everything that the libraries really support; the scripts in Tests/Conformance tell what they do not, and why.
  static let all = [
    pysignalr,
    ForeignClient(library: .pysignalr, encoding: .messagePack),
    signalrcore,
    ForeignClient(library: .signalrcore, encoding: .messagePack),
    ForeignClient(library: .signalrcore, transport: .serverSentEvents),
    ForeignClient(library: .signalrcore, transport: .longPolling),
  ]

  /// Those of this run.
  static let chosen = TestScope.part(of: all)

  var testDescription: String { "\(library.rawValue), \(transport.rawValue), \(encoding.rawValue)" }
}
