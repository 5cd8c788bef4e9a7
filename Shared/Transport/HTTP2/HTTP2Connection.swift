import CCurl
import Dispatch
import Logging

/// One HTTP/2 connection over TLS and the requests on it. Used on its engine's queue only.
///
/// libcurl connects, OpenSSL encrypts, nghttp2 speaks HTTP/2. libcurl's own HTTP/2 makes two TLS records and as many system
/// calls of every request; here everything that waits to be sent goes out together.
final class HTTP2Connection {
  typealias Job = HTTP2Stream.Job

  /// What the engine has to know after bytes have moved.
  enum Event {
    case answered(Job, Result<HTTPResponse, TransportError>)
    case lost(TransportError)
  }

  private enum Stage {
    case connecting
    case securing
    case open
  }

  private let handle: CurlHandle
  private let connection: CurlConnection
  private let tls: TLSSession
  private let session: HTTP2Session
  private let bodyLimit: Int
  private let maximumStreams: Int
  private var stage = Stage.connecting
  private let opensUntil: ContinuousClock.Instant

  /// Encrypted, and how much of it has been written.
  private var outgoing: [UInt8] = []
  private var written = 0
  private var plain: [UInt8] = []
  private var buffer = [UInt8](repeating: 0, count: 65_536)
  private var lastReceived = ContinuousClock.now
  private var isPinged = false

  /// Silence after which the server is asked whether it is there, and again after which it is given up. A server that only
  /// takes its time answers the question.
  private static let patience = Duration.seconds(10)

  /// - Parameters: `onSocket`, `onTimer`, `onReady`: See `CurlConnection`.
  init(
    _ origin: HTTP2Origin,
    _ configuration: HTTPClientConfiguration,
    _ context: TLSContext,
    queue: DispatchQueue,
    logger: Logger,
    onSocket: @escaping @Sendable (_ socket: Int32, _ direction: Int32) -> Void,
    onTimer: @escaping @Sendable () -> Void,
    onReady: @escaping @Sendable () -> Void
  ) throws(TransportError) {
    handle = try CurlHandle()
    try handle.reset(
      CurlCommonOptions(protocols: "http", caFile: nil, connectTimeout: configuration.connectTimeout)
    )
    try handle.set(CURLOPT_URL, origin.connectURL)
    tls = try TLSSession(context, host: origin.host, applicationProtocol: "h2")
    session = try HTTP2Session()
    bodyLimit = configuration.maximumResponseBody
    maximumStreams = configuration.maximumStreamsPerConnection
    opensUntil = .now + configuration.connectTimeout
    connection = try CurlConnection(
      handle,
      queue: queue,
      logger: logger,
      onSocket: onSocket,
      onTimer: onTimer,
      onReady: onReady
    )
  }

  // MARK: What it takes

  /// Requests under way.
  var load: Int { session.streams.count }

  /// Whether connection and TLS are there.
  var isOpen: Bool { stage == .open }

  /// Whether it may carry further requests, now or when it is open.
  var isUsable: Bool { !isOpen || session.takesRequests }

  /// How many further requests it takes at once; none before it is open.
  var room: Int {
    guard isOpen, session.takesRequests else { return 0 }
    return min(maximumStreams, session.maximumStreams) - load
  }

  // MARK: Opening

  /// Lets libcurl go on with connecting.
  func connect(_ step: (CurlMulti) -> Void) -> [Event] {
    switch connection.connect(step) {
    case .underWay: return []
    case .open:
      stage = .securing
      return secure()
    case .failed(let code):
      let error = TransportError.curl(code, mayHaveBeenProcessed: false, detail: handle.failureText)
      return [.lost(unopened(error))]
    }
  }

  private func secure() -> [Event] {
    switch tls.handshake() {
    case .underWay: return flush()
    case .done:
      stage = .open
      lastReceived = .now
      return flush()
    case .failed(let error):
      // The server is told why.
      _ = flush()
      return [.lost(error)]
    }
  }

  /// A connection that is reset before it is open is one that cannot be made.
  private func unopened(_ error: TransportError) -> TransportError {
    guard error.code == .connectionLost else { return error }
    return TransportError(.cannotConnect, isTransient: true, detail: handle.failureText)
  }

  // MARK: Requests

  /// Begins a request; it goes out with the next `flush`.
  func begin(_ job: Job, _ fields: HTTP2Fields) -> Bool {
    // The time of silence begins with the first request.
    if load == 0 { lastReceived = .now }
    return session.begin(HTTP2Stream(job, bodyLimit: bodyLimit), fields)
  }

  /// Takes the requests that are meant off the connection; their streams are reset with the next `flush`.
  func take(where isMeant: (Job) -> Bool) -> [Job] {
    let meant = session.streams.filter { isMeant($0.value.job) }
    for number in meant.keys { session.abandon(number) }
    return meant.map(\.value.job)
  }

  private func answers() -> [Event] {
    session.takeEnded().map { .answered($0.stream.job, $0.stream.outcome(isRefused: $0.isRefused)) }
  }

  // MARK: Bytes

  /// Reads and writes what can be without waiting.
  func proceed() -> [Event] {
    var isEnded = false
    reading: while true {
      switch connection.receive(into: &buffer) {
      case .wouldBlock: break reading
      case .ended:
        isEnded = true
        break reading
      case .bytes(let count):
        lastReceived = .now
        isPinged = false
        tls.receive(buffer[..<count])
        if count < buffer.count { break reading }
      }
    }
    if stage == .securing {
      let events = secure()
      if !isOpen { return isEnded && events.isEmpty ? drop(.connectionLost) : events }
    }
    guard stage == .open else { return [] }
    decrypting: while true {
      switch tls.read(into: &buffer) {
      case .wouldBlock: break decrypting
      case .ended:
        isEnded = true
        break decrypting
      case .bytes(let count):
        guard session.receive(buffer[..<count]) else { return drop(.badResponse) }
      }
    }
    return isEnded ? drop(.connectionLost) : answers() + flush()
  }

  /// Sends what waits to be sent, as far as the socket takes it.
  func flush() -> [Event] {
    while true {
      if written == outgoing.count {
        outgoing.removeAll(keepingCapacity: true)
        written = 0
        if isOpen {
          plain.removeAll(keepingCapacity: true)
          guard session.collect(into: &plain), tls.send(plain) else { return drop(.badResponse) }
        }
        tls.collect(into: &outgoing)
        if outgoing.isEmpty { break }
      }
      switch connection.send(outgoing[written...]) {
      case .bytes(let count): written += count
      case .wouldBlock:
        connection.watch(forWriting: true)
        return []
      case .ended: return drop(.connectionLost)
      }
    }
    connection.watch(forWriting: false)
    // After the server's goodbye, when all it had taken is answered.
    let isOver = isOpen && load == 0 && !session.takesRequests
    return isOver ? [.lost(TransportError(.connectionLost, isTransient: true))] : []
  }

  /// Looks whether the server is still there while somebody waits for it.
  func check(_ now: ContinuousClock.Instant) -> [Event] {
    guard isOpen else {
      // libcurl keeps the time of connecting itself.
      return stage == .securing && now >= opensUntil ? [.lost(TransportError(.timeout, isTransient: true))] : []
    }
    guard load > 0 else { return [] }
    let silence = now - lastReceived
    if silence >= Self.patience * 2 { return drop(.connectionLost) }
    if silence >= Self.patience, !isPinged {
      isPinged = true
      session.ping()
      return flush()
    }
    return []
  }

  /// Ends the connection; what had its answer keeps it.
  private func drop(_ code: TransportError.Code) -> [Event] {
    guard isOpen else { return [.lost(unopened(TransportError(code, isTransient: true)))] }
    let error = TransportError(code, isTransient: true, mayHaveBeenProcessed: true)
    return answers() + take { _ in true }.map { .answered($0, .failure(error)) } + [.lost(error)]
  }
}
