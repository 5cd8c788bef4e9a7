import NIOCore

/// How far a `Resume`, or the filling of a gap, has come. While it runs, new notifications are held back: they are read
/// from the database with the rest, so that everything comes in order and once.
final class ResumeProgress {
  /// How the next notifications reach the client.
  enum Manner {
    /// As the result of the call.
    case result
    /// As the items of a stream.
    case stream
    /// As `ReceiveNotification`: what did not fit into the result, and what came meanwhile.
    case messages
  }

  /// The client's call, until it is done; nil for a gap that the hub has noticed.
  private(set) var call: HubCall?
  /// The inbox's last `seq` at the first page: there the call is done, however much comes meanwhile.
  private var targetSeq: Int?
  var manner: Manner
  /// The last that was read.
  private(set) var lastSeq: Int
  /// Up to which the client says that it has everything, until the first page shows whether it can.
  private var reportedSeq: Int?
  /// Whether the client has cancelled its stream: it has been answered.
  private(set) var isCancelled = false
  /// Below it the client wants nothing: it has cancelled its stream.
  private var firstWantedSeq = 0
  /// The first and the last notification that was held back.
  private var heldBack: ClosedRange<Int>?
  private(set) var isReading = false
  /// Whether a notification was held back since the present read began: it need not be on the page.
  private var hasHeldBack = false
  /// The unread count that the client was sent last since the present read began: that of the page may be older.
  private var liveUnread: ByteBuffer?

  /// Hub messages of what became of notifications that were sent before; nil until that was read.
  private(set) var changes: ArraySlice<[UInt8]>?
  /// What was sent of notifications since this began: a page may be older, so it is sent once more.
  private var live: [ByteBuffer] = []
  private static let maximumLive = 1_000
  /// The unread count with which it is over, once there is nothing left to read.
  private(set) var closingUnread: Int?

  /// Reads in a row that failed, and since when.
  private var failures: (count: Int, since: NIODeadline)?
  /// Whether the next read has to wait, because the last one failed.
  private(set) var isPaused = false
  /// As long as a server of PostgreSQL may need to come back.
  private static let patience: TimeAmount = .seconds(10)

  /// - Parameter earlier: The `Resume`, or the filling of a gap, that runs on the connection and is given up for this one.
  init(_ call: HubCall, after seq: Int, insteadOf earlier: ResumeProgress?) {
    self.call = call
    // A caller without an id wants no result, but what was missed.
    manner = call.isStream ? .stream : call.id == nil ? .messages : .result
    lastSeq = seq
    reportedSeq = seq
    heldBack = earlier?.heldBack
    live = earlier?.live ?? []
  }

  init(fillingAfter seq: Int) {
    call = nil
    manner = .messages
    lastSeq = seq
    // What became of those before was sent to the connection when it happened.
    changes = []
  }

  func beginReading() {
    isReading = true
    hasHeldBack = false
    liveUnread = nil
  }

  /// - Returns: Whether the page may lack something that was sent already.
  func endReading() -> Bool {
    isReading = false
    return hasHeldBack
  }

  /// How long to wait before the failed read is tried again; nil if it has failed for too long.
  func pauseAfterFailure(at now: NIODeadline) -> TimeAmount? {
    let (count, since) = failures ?? (0, now)
    guard now - since < Self.patience else { return nil }
    failures = (count + 1, since)
    isPaused = true
    return .milliseconds(Int64(200 << min(count, 4)) + Int64.random(in: 0..<200))
  }

  func endPause() { isPaused = false }

  /// Takes note of an unread count that is sent live.
  func noteUnread(_ count: ByteBuffer) { liveUnread = count }

  /// Takes note of a change that is sent live.
  ///
  /// - Returns: False if they are too many.
  func note(_ change: ByteBuffer) -> Bool {
    guard live.count < Self.maximumLive else { return false }
    live.append(change)
    return true
  }

  /// The first page has come, and with it what became of what the client has.
  func take(_ changes: [[UInt8]]) {
    if self.changes == nil { self.changes = changes[...] }
  }

  /// Everything is read; what is left is to be written, and then the unread count.
  func close(unread: Int) { closingUnread = unread }

  /// There is more to read after all.
  func reopen() { closingUnread = nil }

  /// Whether some of the changes that were read are still to be written.
  var hasChanges: Bool { changes?.isEmpty == false }

  /// What is left of the changes that were read, as much as fits; at least one while there is any.
  func nextChanges(fitting size: Int) -> ArraySlice<[UInt8]> {
    let rest = changes ?? []
    var taken = 0
    let next = rest.prefix { record in
      taken += record.count
      return taken <= size || taken == record.count
    }
    changes = rest.dropFirst(next.count)
    return next
  }

  /// What was sent meanwhile, for once more; the unread count last, if it was.
  func takeLive() -> (changes: [ByteBuffer], unread: ByteBuffer?) {
    defer { (live, liveUnread) = ([], nil) }
    return (live, liveUnread)
  }

  /// The inbox has been read to its end.
  ///
  /// An end below what was sent before the read began, or below what an earlier page called the end, is that of an inbox
  /// whose user was erased meanwhile: nothing is left to wait for.
  func reachEnd(at seq: Int) {
    skip(to: max(seq, targetSeq ?? 0, hasHeldBack ? 0 : heldBack?.upperBound ?? 0))
  }

  func holdBack(_ seq: Int) {
    hasHeldBack = true
    heldBack = heldBack.map { min($0.lowerBound, seq)...max($0.upperBound, seq) } ?? seq...seq
  }

  /// Whether something that was held back has not been read yet; before the first page ``lastSeq`` is but the client's word.
  var isBehind: Bool { heldBack.map { reportedSeq != nil || $0.upperBound > lastSeq } ?? false }

  /// What the client has by its own account, on the first page: no `seq` that the inbox has not reached yet.
  func takeReported(within seq: Int) -> ClosedRange<Int>? {
    guard let reportedSeq else { return nil }
    self.reportedSeq = nil
    lastSeq = min(lastSeq, seq)
    return 0...min(reportedSeq, seq)
  }

  /// What lies below is known to be with the client.
  func skip(to seq: Int) { lastSeq = max(lastSeq, seq) }

  /// The call, once its caller has everything that was missed when it came.
  func releaseCall() -> HubCall? {
    guard let call, let targetSeq, lastSeq >= targetSeq else { return nil }
    self.call = nil
    manner = .messages
    return call
  }

  /// Takes note of a page; answers what of it the client wants.
  func take(_ page: MissedNotifications) -> ArraySlice<MissedNotifications.Item> {
    failures = nil
    targetSeq = targetSeq ?? page.seq
    lastSeq = max(lastSeq, page.items.last?.seq ?? 0)
    return page.items.drop { $0.seq < firstWantedSeq }
  }

  /// What came after it did not fit: it is read again.
  func goBack(to seq: Int) { lastSeq = seq }

  /// The client wants no more of its stream, but still what came meanwhile.
  ///
  /// - Returns: False if nothing did.
  func cancelStream() -> Bool {
    guard let heldBack else { return false }
    isCancelled = true
    manner = .messages
    firstWantedSeq = heldBack.lowerBound
    lastSeq = max(lastSeq, firstWantedSeq - 1)
    return true
  }
}
