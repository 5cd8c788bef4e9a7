import NIOCore

/// The server's side of long polling: what waits for the next GET, or the GET that waits for it.
///
/// Used on its connection's event loop only. The waiting GET may live on another one: a promise takes the answer there.
final class LongPoll {
  enum Answer: Sendable {
    /// 200 with these bytes, perhaps none.
    case data(ByteBuffer)
    /// 204: another GET has taken its place, or the connection has ended.
    case ended
    /// 404: there is no such connection any more.
    case unknown
  }

  private var pending = ByteBuffer()
  private var waiting: (promise: EventLoopPromise<Answer>, request: ObjectIdentifier, since: NIODeadline)?
  private var hasBegun = false
  private var idleSince: NIODeadline
  /// The connection has said goodbye: the client may still fetch what is pending, then the answer is 204.
  private var isEnded = false

  init(at now: NIODeadline) {
    idleSince = now
  }

  var pendingBytes: Int { pending.readableBytes }

  /// Whether the client of an ended connection has been answered 204.
  private(set) var isDone = false

  /// Whether the client has fetched all that an ended connection had for it, but need not know that this was all.
  var isFetched: Bool { isEnded && pending.readableBytes == 0 }

  func append(_ record: ByteBuffer) {
    var record = record
    pending.writeBuffer(&record)
  }

  /// A GET has come. The first is answered at once, so that the client knows that it is connected.
  func poll(_ promise: EventLoopPromise<Answer>, for request: ObjectIdentifier, at now: NIODeadline) {
    waiting?.promise.succeed(.ended)
    waiting = (promise, request, now)
    if hasBegun { return flush(at: now) }
    hasBegun = true
    answer(.data(ByteBuffer()), at: now)
  }

  /// Takes back what an answer held, before everything that came since.
  func giveBack(_ data: ByteBuffer, at now: NIODeadline) {
    var all = data
    var rest = pending
    all.writeBuffer(&rest)
    pending = all
    flush(at: now)
  }

  /// The TCP connection of the waiting GET has ended: what comes is kept for the next one.
  func cancelPoll(for request: ObjectIdentifier, at now: NIODeadline) {
    if waiting?.request == request { answer(.ended, at: now) }
  }

  /// Ends the waiting GET, whatever is pending.
  func abort(at now: NIODeadline) {
    answer(.ended, at: now)
  }

  /// Answers the waiting GET, if there is something to send.
  func flush(at now: NIODeadline) {
    guard waiting != nil else { return }
    if pending.readableBytes > 0 {
      let data = pending
      pending = ByteBuffer()
      answer(.data(data), at: now)
    } else if isEnded {
      isDone = true
      answer(.ended, at: now)
    }
  }

  /// The connection has said goodbye: no more will come.
  func end(at now: NIODeadline) {
    isEnded = true
    flush(at: now)
  }

  /// Answers a GET that has waited for `limit`; says whether the client has been away for longer than `patience`.
  func tick(at now: NIODeadline, limit: TimeAmount, patience: TimeAmount) -> Bool {
    guard let waiting else { return now - idleSince >= patience }
    if now - waiting.since >= limit { answer(.data(ByteBuffer()), at: now) }
    return false
  }

  private func answer(_ answer: Answer, at now: NIODeadline) {
    guard let waiting else { return }
    self.waiting = nil
    idleSince = now
    waiting.promise.succeed(answer)
  }
}
