import Authentication
import Logging
import NIOCore
import NIOEmbedded
import NotificationModel
import ServiceRuntime
import SignalRProtocol
import TestSupport
import Testing

@testable import InAppDispatcher

/// All ways in which a connection ends, each of a WebSocket that has shaken hands.
@Suite struct HubEndTests {
  struct Effect: Equatable, Sendable {
    var counted: [HubStatistics.EndReason]
    var left: Left
    /// What the client gets: messages, and the status of the close frame.
    var sent: [String]
    var logged: [Logger.Level]

    init(_ counted: HubStatistics.EndReason?, _ left: Left, sent: [String] = [], logged: Logger.Level? = nil) {
      self.counted = counted.map { [$0] } ?? []
      self.left = left
      self.sent = sent
      self.logged = logged.map { [$0] } ?? []
    }
  }

  enum Left: Sendable {
    /// The connection waits for its client to close the channel.
    case waiting
    /// The channel is closed; its handler will tell so.
    case closed
    /// The channel is its handler's.
    case forgotten
  }

  private static let comeBack = #"{"type":7,"allowReconnect":true}"# + "\u{1E}"

  private static let all: [(HubEnd, Effect)] = [
    (.protocol(.byClient), Effect(.byClient, .waiting, sent: ["1000"], logged: .debug)),
    (.protocol(.handshakeTimeout), Effect(.handshakeTimeout, .waiting, sent: ["1000"], logged: .debug)),
    (.protocol(.handshakeRefused), Effect(.handshakeRefused, .waiting, sent: ["1000"], logged: .debug)),
    (.protocol(.clientTimeout), Effect(.clientTimeout, .closed)),
    (.protocol(.protocolError(.malformedLength)), Effect(.protocolError, .waiting, sent: ["1000"], logged: .debug)),
    (
      .protocol(.protocolError(.messageTooLarge(limit: 1))),
      Effect(.protocolError, .waiting, sent: ["1009"], logged: .debug)
    ),
    (
      .protocol(.protocolError(.tooManyMessages(limit: 1))),
      Effect(.tooManyMessages, .waiting, sent: ["1008"], logged: .debug)
    ),
    (.malformedFrame, Effect(.protocolError, .waiting, sent: ["1002"])),
    (.sentAway, Effect(.sentAway, .waiting, sent: [comeBack, "1001"])),
    (.tokenExpired, Effect(.tokenExpired, .waiting, sent: [comeBack, "1001"])),
    (.slow, Effect(.slow, .closed, logged: .notice)),
    (.byClient, Effect(.byClient, .forgotten)),
    (.pollsStopped, Effect(.clientTimeout, .forgotten)),
    (.notReattached, Effect(.notReattached, .forgotten)),
    (.goodbyeTaken, Effect(nil, .forgotten)),
    (.goodbyeIgnored, Effect(nil, .closed)),
    (.carrierEnded, Effect(nil, .forgotten)),
    (.neverBegan, Effect(nil, .closed)),
    (.drainTimeout, Effect(nil, .closed)),
  ]

  private let channel = EmbeddedChannel()
  private let statistics = HubStatistics()
  private let recorder = LogRecorder()

  @Test(arguments: all)
  private func `an end is counted once, and the client is told what there is to tell`(_ end: HubEnd, _ expected: Effect)
    throws
  {
    let connection = try connect()
    #expect(try sent() == ["{}\u{1E}"])
    connection.end(end)
    #expect(try effect(on: connection) == expected)
    // Whatever comes behind it, as when a client is too slow for each of several frames.
    connection.end(.slow)
    #expect(counted == expected.counted)
  }

  @Test func `who has no room for a goodbye ends as slow, and is counted once`() throws {
    let connection = try connect(maximumPendingBytes: 20)
    connection.setBlocked(true, attachment: connection.attachment)
    connection.end(.sentAway)
    #expect(counted == [.slow])
    #expect(try effect(on: connection).left == .closed)
  }

  @Test func `connections end for every reason that can be counted`() {
    #expect(Set(Self.all.flatMap(\.1.counted)) == Set(HubStatistics.EndReason.allCases))
  }

  private func connect(maximumPendingBytes: Int? = nil) throws -> HubConnection {
    var configuration = HubServerConfiguration()
    if let maximumPendingBytes { configuration.limits.maximumPendingBytes = maximumPendingBytes }
    let directory = ConnectionDirectory(limits: configuration.limits)
    let hub = HubContext(
      configuration: configuration,
      verifier: try TokenVerifier(configuration: TokenVerifierConfiguration(sharedSecret: TestHub.secret)),
      identifiers: nil,
      directory: directory,
      loops: [],
      methods: nil,
      statistics: statistics,
      logger: recorder.logger
    )
    try channel.connect(to: SocketAddress(unixDomainSocketPath: "/unused")).wait()
    let caller = HubCaller(user: .random(), network: ClientNetwork(nil), path: .notifications, expiresAt: nil)
    guard case .opened(let ticket) = directory.admit(.webSocket, id: nil, from: caller, loop: 0, at: .now()) else {
      throw Refused()
    }
    let connection = HubConnection(
      ticket,
      expiresAt: nil,
      carrier: .channel(channel),
      hub: hub,
      registry: ConnectionRegistry(loop: 0, eventLoop: channel.eventLoop, directory: directory)
    )
    connection.receive(Array(TestHub.handshake.utf8), attachment: 0)
    return connection
  }

  private struct Refused: Error {}

  private func effect(on connection: HubConnection) throws -> Effect {
    let isKnown = connection.registry.connection(connection.id) != nil
    var effect = Effect(nil, isKnown ? channel.isActive ? .waiting : .closed : .forgotten, sent: try sent())
    effect.counted = counted
    effect.logged = recorder.all.map(\.level)
    return effect
  }

  private var counted: [HubStatistics.EndReason] {
    HubStatistics.EndReason.allCases.flatMap { Array(repeating: $0, count: statistics[.ended($0)]) }
  }

  /// Messages by their text, close frames by their status.
  private func sent() throws -> [String] {
    var sent: [String] = []
    while let frame = try channel.readOutbound(as: ByteBuffer.self) {
      let payload = frame.readableBytesView.dropFirst(2)
      let isClose = frame.readableBytesView.first == 0x88
      sent.append(isClose ? "\(payload.reduce(0) { $0 << 8 | Int($1) })" : String(decoding: payload, as: UTF8.self))
    }
    return sent
  }
}
