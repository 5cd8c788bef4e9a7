import CCurl
import Dispatch
import Logging
import TLS

/// One HTTP/2 connection over TLS and the requests on it. Used on its engine's queue only.
///
/// libcurl connects, OpenSSL encrypts, nghttp2 speaks HTTP/2. libcurl's own HTTP/2 makes two TLS records and as many system
/// calls of every request; here everything that waits to be sent goes out together.
final class HTTP2Connection {
  typealias Job = HTTP2Stream.Job

  /// What the engine has to know after bytes have moved.
  enum Event {
    case answered(Job, Result<HTTPResponse, TransportError>)
    /// The server says goodbye and did not process the request: another connection may carry it.
    case refused(Job)
    /// The server had no room for the request and did not process it: soon it may.
    case declined(Job)
    /// The server says goodbye; what is in flight may still be answered.
    case goodbye(HTTP2Goodbye)
    case lost(TransportError)
  }

  private enum Stage {
    case connecting
    case securing
    case open
  }

  private let number: UInt64
  private let handle: CurlHandle
  private let connection: CurlConnection
  private let tls: TLSSession
  private let session: HTTP2Session
  private let bodyLimit: Int
  private let maximumStreams: Int
  private let awaitsSettings: Bool
  private var stage = Stage.connecting
  private let opensUntil: ContinuousClock.Instant

  /// Encrypted, and how much of it has been written.
  private var outgoing: [UInt8] = []
  private var written = 0
  private var frames: [UInt8] = []
  private var buffer = [UInt8](repeating: 0, count: 65_536)
  /// What a TLS record holds.
  private var plain = [UInt8](repeating: 0, count: 16_384)
  private var lastReceived = ContinuousClock.now

  /// A request's time ran out and nothing came for so long: the server may be gone without a word.
  private var isSilent = false
  private let silence: Duration
  /// Whether a request was ever answered.
  private var hasAnswered = false
  private var hasBegun = false
  private var openedAt = ContinuousClock.now
  /// Others take its place: it takes no further requests.
  private var isRetired = false
  /// When it was last asked for a sign of life.
  private var pinged: ContinuousClock.Instant?

  /// Reads in one go; then others on the queue get their turn.
  private static let maximumReads = 16

  /// - Parameters:
  ///   - number: By which its answers name it.
  ///   - onSocket, onTimer, onReady: See `CurlConnection`.
  init(
    _ number: UInt64,
    _ origin: HTTP2Origin,
    _ configuration: HTTPClientConfiguration,
    _ context: TLSContext,
    queue: DispatchQueue,
    logger: Logger,
    onSocket: @escaping @Sendable (_ socket: Int32, _ direction: Int32) -> Void,
    onTimer: @escaping @Sendable () -> Void,
    onReady: @escaping @Sendable () -> Void
  ) throws(TransportError) {
    self.number = number
    handle = try CurlHandle()
    try handle.reset(
      CurlCommonOptions(
        protocols: "http",
        caFile: nil,
        connectTimeout: configuration.connectTimeout,
        isPublicOnly: configuration.publicAddressesOnly
      )
    )
    try handle.set(CURLOPT_URL, origin.connectURL)
    tls = try TLSSession.http2(context, host: origin.host)
    session = try HTTP2Session()
    bodyLimit = configuration.maximumResponseBody
    maximumStreams = configuration.maximumStreamsPerConnection
    awaitsSettings = configuration.awaitsSettings
    opensUntil = .now + configuration.connectTimeout
    silence = configuration.timeout / 2
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

  /// Requests in flight.
  var load: Int { session.streams.count }

  /// Whether connection and TLS are there.
  var isOpen: Bool { stage == .open }

  /// Whether it is also known how many requests the server takes, as far as that is waited for.
  var isReady: Bool { isOpen && (!awaitsSettings || session.hasSettings) }

  /// Whether it may carry further requests, now or when it is open.
  var isUsable: Bool { !isRetired && (!isOpen || takesRequests) }

  private var takesRequests: Bool { !isSilent && !isRetired && session.takesRequests }

  /// How many further requests it takes at once, as the server says at the moment; none before it is ready.
  var room: Int {
    guard isReady, takesRequests else { return 0 }
    return min(maximumStreams, session.maximumStreams) - load
  }

  // MARK: Opening

  /// Lets libcurl go on with connecting.
  func connect(_ step: (CurlMulti) -> Void) -> [Event] {
    switch connection.connect(step) {
    case .inProgress: return []
    case .open:
      stage = .securing
      return secure()
    case .failed(let code):
      return [.lost(unopened(handle.unsent(code)))]
    }
  }

  private func secure() -> [Event] {
    switch tls.handshake() {
    case .inProgress: return flush()
    case .done(applicationProtocol: TLSSession.http2):
      stage = .open
      openedAt = .now
      return flush()
    case .done:
      let detail = "the server does not speak \(TLSSession.http2)"
      return [.lost(TransportError(.badResponse, isTransient: false, detail: detail))]
    case .failed(let error):
      // The server is told why.
      _ = flush()
      return [.lost(TransportError(error))]
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
    hasBegun = true
    return session.begin(HTTP2Stream(job, bodyLimit: bodyLimit), fields)
  }

  /// Whether it was of use, or would have been if somebody had asked: its end says nothing against opening another.
  func hasServed(for pause: Duration) -> Bool {
    isOpen && (hasAnswered || !hasBegun && .now - openedAt >= pause)
  }

  /// Takes the requests that are meant off the connection; their streams are reset with the next `flush`.
  func take(where isMeant: (HTTP2Stream) -> Bool) -> [Job] {
    let meant = session.streams.filter { isMeant($0.value) }
    for number in meant.keys { session.abandon(number) }
    return meant.map(\.value.job)
  }

  func hasExpired(_ now: ContinuousClock.Instant) -> Bool {
    session.streams.values.contains { $0.job.deadline <= now }
  }

  /// Takes the requests off whose time is up.
  func takeExpired(_ now: ContinuousClock.Instant) -> [Job] {
    take { stream in
      guard stream.job.deadline <= now else { return false }
      // One that had hardly any time says nothing about the server.
      if stream.begun > lastReceived, now - stream.begun >= silence { isSilent = true }
      return true
    }
  }

  /// Takes no further requests, and is given up when those in flight are answered. One that is being opened stays: it is new.
  func retire() -> [Event] {
    guard isOpen else { return [] }
    isRetired = true
    return flush()
  }

  private func answers() -> [Event] {
    var answers = session.takeEnded().map { ended in
      if ended.isRefused, !session.takesRequests { return Event.refused(ended.stream.job) }
      if ended.isRefused, !ended.stream.isComplete { return .declined(ended.stream.job) }
      let outcome = ended.stream.outcome(isRefused: ended.isRefused, over: number)
      if case .success = outcome { hasAnswered = true }
      return .answered(ended.stream.job, outcome)
    }
    if let goodbye = session.takeGoodbye() { answers.insert(.goodbye(goodbye), at: 0) }
    return answers
  }

  // MARK: Bytes

  /// Reads and writes what can be without waiting.
  func proceed() -> [Event] {
    var isEnded = false
    reading: for _ in 0..<Self.maximumReads {
      switch connection.receive(into: &buffer) {
      case .wouldBlock: break reading
      case .ended:
        isEnded = true
        break reading
      case .bytes(let count):
        lastReceived = .now
        tls.receive(buffer[..<count])
        if stage == .securing {
          let events = secure()
          if !events.isEmpty { return events }
        }
        if isOpen {
          switch decrypt() {
          case .inProgress: break
          case .ended:
            isEnded = true
            break reading
          case .malformed: return drop(.badResponse)
          }
        }
        if count < buffer.count { break reading }
      }
    }
    return isEnded ? drop(.connectionLost) : flush()
  }

  private enum Decryption {
    case inProgress
    case ended
    case malformed
  }

  /// Hands on what TLS has whole records of.
  private func decrypt() -> Decryption {
    while true {
      switch tls.read(into: &plain) {
      case .wouldBlock: return .inProgress
      case .ended, .failed: return .ended
      case .bytes(let count): guard session.receive(plain[..<count]) else { return .malformed }
      }
    }
  }

  /// Sends what waits to be sent, as far as the socket takes it. Returns also what has ended in the course of it, e.g. a
  /// request that could not be begun any more.
  func flush() -> [Event] {
    while true {
      if written == outgoing.count {
        outgoing.removeAll(keepingCapacity: true)
        written = 0
        if isOpen {
          frames.removeAll(keepingCapacity: true)
          guard session.collect(into: &frames), tls.send(frames) else { return drop(.badResponse) }
        }
        tls.collect(into: &outgoing)
        if outgoing.isEmpty { break }
      }
      switch connection.send(outgoing[written...]) {
      case .bytes(let count): written += count
      case .wouldBlock:
        connection.watch(forWriting: true)
        return retiring(answers())
      case .ended: return dropAfterReading()
      }
    }
    connection.watch(forWriting: false)
    guard isOpen else { return [] }
    return session.isOver && load > 0 ? drop(.badResponse) : retiring(answers())
  }

  /// Adds that the connection is of no more use: the server has said goodbye, or fallen silent, and nothing is in flight.
  private func retiring(_ answers: [Event]) -> [Event] {
    let isOver = isOpen && load == 0 && !takesRequests
    return isOver ? answers + [.lost(TransportError(.connectionLost, isTransient: true))] : answers
  }

  /// Whether TLS, or what follows until it is ready, takes longer than opening may; libcurl keeps the time of connecting
  /// itself.
  func isOverdue(_ now: ContinuousClock.Instant) -> Bool {
    (stage == .securing || isOpen && !isReady) && now >= opensUntil
  }

  /// Asks a server from which nothing came for so long for a sign of life, once until it answers.
  func ping(after silence: Duration, _ now: ContinuousClock.Instant) -> [Event] {
    guard isOpen, now - lastReceived >= silence, pinged.map({ $0 <= lastReceived }) ?? true else { return [] }
    pinged = now
    session.ping()
    return flush()
  }

  /// Whether it was asked for a sign of life and gave none for so long.
  func isGone(after limit: Duration, _ now: ContinuousClock.Instant) -> Bool {
    guard let pinged, pinged > lastReceived else { return false }
    return now - pinged >= limit
  }

  /// Ends it: the server gives no sign of life.
  func end() -> [Event] { drop(.connectionLost) }

  /// Says goodbye, without waiting for the server's. Nothing is in flight.
  func close() {
    guard isOpen else { return }
    session.finish()
    _ = flush()
    tls.finish()
    tls.collect(into: &outgoing)
    _ = connection.send(outgoing[written...])
  }

  /// Ends the connection; what had its answer keeps it.
  private func drop(_ code: TransportError.Code) -> [Event] {
    guard isOpen else { return [.lost(unopened(TransportError(code, isTransient: true)))] }
    let error = TransportError(code, isTransient: true, mayHaveBeenProcessed: true)
    var events = answers()
    // Answered before their bodies were sent.
    for stream in session.streams.values where stream.isComplete {
      hasAnswered = true
      events.append(.answered(stream.job, stream.outcome(isRefused: false, over: number)))
    }
    _ = take(where: \.isComplete)
    events += take { _ in true }.map { .answered($0, .failure(error)) }
    return events + [.lost(error)]
  }

  /// The socket takes no more, but what the server sent before can be read still: answers, and its goodbye.
  private func dropAfterReading() -> [Event] {
    reading: while isOpen, case .bytes(let count) = connection.receive(into: &buffer) {
      tls.receive(buffer[..<count])
      guard case .inProgress = decrypt() else { break reading }
    }
    return drop(.connectionLost)
  }
}
