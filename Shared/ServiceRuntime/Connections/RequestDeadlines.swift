import NIOCore

/// By when a client must have sent, or taken, what it is expected to. Told what happens, it answers the deadline.
struct RequestDeadlines {
  private let headerTimeout: TimeAmount
  private let bodyTimeout: TimeAmount
  private let idleTimeout: TimeAmount

  /// Until when the connection may stay as it is; nil while the client waits for us.
  private(set) var deadline: NIODeadline?
  /// Requests that have begun and are not answered to the end.
  private var unanswered = 0
  private var isReadingBody = false
  private var isWritable = true

  init(_ limits: ConnectionLimits, connectedAt now: NIODeadline) {
    headerTimeout = TimeAmount(limits.headerTimeout)
    bodyTimeout = TimeAmount(limits.bodyTimeout)
    idleTimeout = TimeAmount(limits.idleTimeout)
    deadline = now + headerTimeout
  }

  /// No deadline that is set later than a look at this one can pass sooner than this after the look.
  var shortest: TimeAmount { min(headerTimeout, bodyTimeout, idleTimeout) }

  mutating func receivedHead(at now: NIODeadline) {
    unanswered += 1
    isReadingBody = true
    update(at: now)
  }

  mutating func receivedEnd(at now: NIODeadline) {
    isReadingBody = false
    update(at: now)
  }

  mutating func answered(at now: NIODeadline) {
    // What was no request is answered as well.
    unanswered = max(0, unanswered - 1)
    update(at: now)
  }

  /// Whether the client takes what is written to it.
  mutating func writability(is writable: Bool, at now: NIODeadline) {
    isWritable = writable
    update(at: now)
  }

  private mutating func update(at now: NIODeadline) {
    if !isWritable {
      deadline = now + bodyTimeout
    } else if isReadingBody {
      // Behind another request it is not the client that is late.
      deadline = unanswered <= 1 ? now + bodyTimeout : nil
    } else {
      deadline = unanswered == 0 ? now + idleTimeout : nil
    }
  }
}
