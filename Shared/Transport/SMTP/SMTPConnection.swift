import Dispatch
import Logging

/// One connection to the mail server and the message it carries. Used on its engine's queue only.
final class SMTPConnection {
  typealias Job = TransferInbox<SMTPTransaction, SMTPReply>.Job

  /// What the engine has to know after bytes have moved.
  enum Event {
    case answered(Job, SMTPReply)
    case lost(TransportError)
  }

  /// When the connection is given up because the server does not answer what tidies up after a message.
  private var tidyDeadline: ContinuousClock.Instant?
  /// The message in flight; nil when its fate is known.
  private(set) var job: Job?

  /// When the message in flight is given up.
  var deadline: ContinuousClock.Instant? { job.map { contentDeadline ?? $0.deadline } }

  /// Whether the server has taken our name and password and waits for a message.
  var isIdle: Bool { connection.isOpen && transaction == nil }

  /// The server takes a message when it has its last byte.
  var mayHaveBeenProcessed: Bool { transaction?.isSendingContent == true && outgoing.isEmpty }

  /// Whether it has left the pool until the server answers.
  var isAside = false

  private let handle: SMTPHandle
  private let connection: CurlConnection
  private var transaction: SMTPTransaction?
  private var replies = SMTPReplyParser()
  private let tidyTimeout: Duration
  private let contentTimeout: Duration
  /// Once the message itself is being sent.
  private var contentDeadline: ContinuousClock.Instant?
  private var outgoing: ArraySlice<UInt8> = []
  /// When the server was last given something, or answered.
  private var lastMove = ContinuousClock.now
  private var line: [UInt8] = []
  private var buffer = [UInt8](repeating: 0, count: 4_096)
  private let lineLimit = 4_096

  /// - Parameters:
  ///   - job: The message for which the connection is opened.
  ///   - onSocket, onTimer: See `CurlMulti`; needed until libcurl has connected.
  ///   - onReady: Called on the queue when the connection may go on; `proceed` is the answer.
  init(
    _ configuration: SMTPConfiguration,
    for job: Job,
    queue: DispatchQueue,
    logger: Logger,
    onSocket: @escaping @Sendable (_ socket: Int32, _ direction: Int32) -> Void,
    onTimer: @escaping @Sendable () -> Void,
    onReady: @escaping @Sendable () -> Void
  ) throws(TransportError) {
    self.job = job
    tidyTimeout = configuration.timeout
    contentTimeout = configuration.contentTimeout
    handle = try SMTPHandle(configuration)
    connection = try CurlConnection(
      handle,
      queue: queue,
      logger: logger,
      onSocket: onSocket,
      onTimer: onTimer,
      onReady: onReady
    )
  }

  /// Whether it carries no message and will not take another.
  func isStuck(at now: ContinuousClock.Instant) -> Bool {
    job == nil && transaction != nil && tidyDeadline.map { $0 <= now } ?? false
  }

  /// Lets the connection leave the pool if the server, which has all that it is to answer, is long in doing so.
  func leaves(at now: ContinuousClock.Instant) -> Bool {
    guard !isAside, let job, transaction != nil, outgoing.isEmpty, let mayLeave = job.request.mayLeave else {
      return false
    }
    isAside = mayLeave(now - lastMove)
    return isAside
  }

  /// Lets libcurl go on with connecting.
  func connect(_ step: (CurlMulti) -> Void) -> [Event] {
    switch connection.connect(step) {
    case .inProgress: []
    case .open: job.map { begin($0) } ?? []
    case .failed(let code): [.lost(handle.failure(code))]
    }
  }

  /// Starts with the next message; the connection is idle.
  func begin(_ job: Job) -> [Event] {
    self.job = job
    contentDeadline = nil
    var transaction = job.request
    let bytes = transaction.begin(isPipelining: handle.replies.offersPipelining)
    self.transaction = transaction
    return send(bytes)
  }

  /// Moves what can be moved without waiting.
  func proceed() -> [Event] {
    var events = write()
    if !events.isEmpty { return events }
    reading: while true {
      switch connection.receive(into: &buffer) {
      case .wouldBlock: break reading
      case .ended: return events + [lost()]
      case .bytes(let count):
        for byte in buffer[..<count] {
          line.append(byte)
          guard byte == UInt8(ascii: "\n") else {
            if line.count > lineLimit { return events + [malformed] }
            continue
          }
          events += receiveLine()
          if case .lost? = events.last { return events }
        }
        if count < buffer.count { break reading }
      }
    }
    watch()
    return events
  }

  /// Takes what has come although the time is up.
  func readLate() -> [Event] { connection.isOpen ? proceed() : [] }

  /// Says goodbye without waiting for the answer.
  func quit() {
    if isIdle, job == nil { _ = connection.send(ArraySlice("QUIT\r\n".utf8)) }
  }

  private func receiveLine() -> [Event] {
    let reply = line.withUnsafeBytes { replies.receive($0) }
    line.removeAll(keepingCapacity: true)
    guard let reply else { return [] }
    lastMove = .now
    guard var transaction else {
      // Unasked, e.g. 421 before the server closes an idle connection.
      return [lost()]
    }
    let hadBegun = transaction.isSendingContent
    let action = transaction.receive(reply)
    if transaction.isSendingContent, !hadBegun {
      // Whoever was stopped for so long must not begin: the message may be in somebody else's hands.
      guard let job, job.deadline > .now else { return [.lost(TransportError(.timeout, isTransient: true))] }
      contentDeadline = .now + contentTimeout
    }
    self.transaction = transaction
    switch action {
    case .wait: return []
    case .send(let bytes): return send(bytes)
    case .ready:
      self.transaction = nil
      return []
    case .fail: return [malformed]
    case .answer(let reply, let next):
      var events: [Event] = []
      if let job { events.append(.answered(job, reply)) }
      job = nil
      // 421: the server is about to close.
      guard reply.code != 421, let next else { return events + [lost()] }
      if next.isEmpty {
        self.transaction = nil
        return events
      }
      tidyDeadline = .now + tidyTimeout
      return events + send(next)
    }
  }

  private func send(_ bytes: [UInt8]) -> [Event] {
    outgoing += bytes
    let events = write()
    watch()
    return events
  }

  private func write() -> [Event] {
    while !outgoing.isEmpty {
      switch connection.send(outgoing) {
      case .bytes(let count):
        outgoing = outgoing.dropFirst(count)
        lastMove = .now
      case .wouldBlock: return []
      case .ended: return [lost()]
      }
    }
    outgoing = []
    return []
  }

  private func watch() {
    connection.watch(forWriting: !outgoing.isEmpty)
  }

  private func lost() -> Event {
    .lost(TransportError(.connectionLost, isTransient: true, mayHaveBeenProcessed: mayHaveBeenProcessed))
  }

  private var malformed: Event {
    .lost(TransportError(.badResponse, isTransient: true, mayHaveBeenProcessed: mayHaveBeenProcessed))
  }
}
