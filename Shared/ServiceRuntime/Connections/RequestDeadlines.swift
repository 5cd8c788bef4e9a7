import NIOCore

/// By when a client must have sent, or taken, what it is expected to. Told what happens, it answers the deadline.
///
/// What is sent has a total: whoever sends byte by byte gains nothing. What is taken has a patience that all progress
/// renews: how long an answer takes is up to its size and the line.
struct RequestDeadlines {
  private let headerTimeout: TimeAmount
  private let bodyTimeout: TimeAmount
  private let idleTimeout: TimeAmount

  /// By when it must have sent a header, a body or its next request; nil while it waits for us.
  private var sending: NIODeadline?
  /// By when it must have taken something more; nil while nothing waits for it.
  private var taking: NIODeadline?
  /// Requests that have begun and are not answered to the end.
  private var unanswered = 0
  private var isReadingBody = false
  private var isIdle = false
  /// What the last look found.
  private var waiting = 0
  private var taken: UInt64 = 0

  init(_ limits: ConnectionLimits, connectedAt now: NIODeadline) {
    headerTimeout = TimeAmount(limits.headerTimeout)
    bodyTimeout = TimeAmount(limits.bodyTimeout)
    idleTimeout = TimeAmount(limits.idleTimeout)
    sending = now + headerTimeout
  }

  /// Until when the connection may stay as it is; nil while the client waits for us.
  var deadline: NIODeadline? {
    guard let taking else { return sending }
    // Who still takes an answer is not idle.
    guard let sending, !isIdle else { return taking }
    return min(sending, taking)
  }

  /// No deadline that is set later than a look at this one can pass sooner than this after the look.
  var shortest: TimeAmount { min(headerTimeout, bodyTimeout, idleTimeout) }

  mutating func receivedHead(at now: NIODeadline) {
    unanswered += 1
    isReadingBody = true
    isIdle = false
    // Behind another request it is not the client that is late.
    sending = unanswered == 1 ? now + bodyTimeout : nil
  }

  mutating func receivedEnd(at now: NIODeadline) {
    isReadingBody = false
    expectNothingMore(at: now)
  }

  mutating func answered(at now: NIODeadline) {
    // What was no request is answered as well.
    unanswered = max(0, unanswered - 1)
    if !isReadingBody {
      expectNothingMore(at: now)
    } else if unanswered <= 1, sending == nil {
      sending = now + bodyTimeout
    }
  }

  /// A look at what the client takes, to be repeated at least every ``shortest``.
  ///
  /// - Parameters:
  ///   - waiting: Bytes for the client that not even the kernel has room for.
  ///   - taken: Bytes that it has taken so far; needed while any wait.
  mutating func look(waiting: Int, taken: UInt64, at now: NIODeadline) {
    if waiting == 0 {
      if taking != nil, isIdle { sending = now + idleTimeout }
      taking = nil
    } else if taking == nil || waiting < self.waiting || taken > self.taken {
      taking = now + bodyTimeout
    }
    self.waiting = waiting
    self.taken = taken
  }

  private mutating func expectNothingMore(at now: NIODeadline) {
    isIdle = unanswered == 0
    sending = isIdle ? now + idleTimeout : nil
  }
}
