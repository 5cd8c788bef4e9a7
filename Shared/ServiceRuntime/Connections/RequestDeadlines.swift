import NIOCore

/// By when a client must have sent, or taken, what it is expected to. Given what happens, it answers the deadline.
///
/// What is sent has a total: whoever sends byte by byte gains nothing. What is taken has a patience that ``pace`` renews:
/// how long an answer takes is up to its size and the line, but nobody holds one with a byte now and then.
struct RequestDeadlines {
  /// Bytes that a client takes within one patience, or it is given up.
  ///
  /// In the 20 s of the default 0.8 KB/s: an old phone's line (GPRS, some 4 KB/s) does five times that. And an answer of a
  /// megabyte, however it is read, waits in memory for 64 patiences at most, some 20 minutes.
  static let pace: UInt64 = 16 << 10

  private let headerTimeout: TimeAmount
  private let bodyTimeout: TimeAmount
  private let idleTimeout: TimeAmount

  /// By when it must have sent a header, a body or its next request; nil while it waits for us.
  private var sending: NIODeadline?
  /// By when it must have taken ``pace`` more; nil while nothing waits for it.
  private var taking: NIODeadline?
  /// Bytes that it had taken when that patience began.
  private var takenBefore: UInt64 = 0
  /// Requests that have begun and are not answered to the end.
  private var unanswered = 0
  private var isReadingBody = false
  private var isIdle = false

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
    } else if taking == nil || taken >= takenBefore + Self.pace {
      taking = now + bodyTimeout
      takenBefore = taken
    }
  }

  private mutating func expectNothingMore(at now: NIODeadline) {
    isIdle = unanswered == 0
    sending = isIdle ? now + idleTimeout : nil
  }
}
