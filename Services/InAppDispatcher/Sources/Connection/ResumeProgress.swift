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
  private var claimedSeq: Int?
  /// Whether the client has cancelled its stream: it has been answered.
  private(set) var isCancelled = false
  /// Below it the client wants nothing: it has cancelled its stream.
  private var firstWantedSeq = 0
  /// The first and the last notification that was held back.
  private var heldBack: ClosedRange<Int>?
  private(set) var isReading = false
  /// Whether a notification was held back since the present read began: it need not be on the page.
  private var wasTold = false
  /// The unread count that the client was told last since the present read began: that of the page may be older.
  private var toldUnread: ByteBuffer?

  /// Hub messages of what became of notifications that were told before; nil until that was read.
  private(set) var revisions: ArraySlice<[UInt8]>?
  /// What was told of notifications since this began: a page may be older, so it is told once more.
  private var told: [ByteBuffer] = []
  private static let maximumTold = 1_000
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
    claimedSeq = seq
    heldBack = earlier?.heldBack
    told = earlier?.told ?? []
  }

  init(fillingAfter seq: Int) {
    call = nil
    manner = .messages
    lastSeq = seq
    // What became of those before was told to the connection when it happened.
    revisions = []
  }

  func beginReading() {
    isReading = true
    wasTold = false
    toldUnread = nil
  }

  /// - Returns: Whether the page may lack something that was told already.
  func endReading() -> Bool {
    isReading = false
    return wasTold
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

  /// Takes note of an unread count that is told live.
  func noteUnread(_ count: ByteBuffer) { toldUnread = count }

  /// Takes note of a change that is told live.
  ///
  /// - Returns: False if they are too many.
  func note(_ change: ByteBuffer) -> Bool {
    guard told.count < Self.maximumTold else { return false }
    told.append(change)
    return true
  }

  /// The first page has come, and with it what became of what the client has.
  func take(_ revisions: [[UInt8]]) {
    if self.revisions == nil { self.revisions = revisions[...] }
  }

  /// Everything is read; what is left is to be written, and then the unread count.
  func close(unread: Int) { closingUnread = unread }

  /// There is more to read after all.
  func reopen() { closingUnread = nil }

  /// Whether some of the changes that were read are still to be written.
  var hasRevisions: Bool { revisions?.isEmpty == false }

  /// What is left of the changes that were read, as much as fits; at least one while there is any.
  func nextRevisions(fitting size: Int) -> ArraySlice<[UInt8]> {
    let rest = revisions ?? []
    var taken = 0
    let next = rest.prefix { record in
      taken += record.count
      return taken <= size || taken == record.count
    }
    revisions = rest.dropFirst(next.count)
    return next
  }

  /// What was told meanwhile, for once more; the unread count last, if it was.
  func takeTold() -> (changes: [ByteBuffer], unread: ByteBuffer?) {
    defer { (told, toldUnread) = ([], nil) }
    return (told, toldUnread)
  }

  /// The inbox has been read to its end.
  ///
  /// An end below what was told before the read began, or below what an earlier page called the end, is that of an inbox
  /// whose user was erased meanwhile: nothing is left to wait for.
  func reachEnd(at seq: Int) {
    skip(to: max(seq, targetSeq ?? 0, wasTold ? 0 : heldBack?.upperBound ?? 0))
  }

  func holdBack(_ seq: Int) {
    wasTold = true
    heldBack = heldBack.map { min($0.lowerBound, seq)...max($0.upperBound, seq) } ?? seq...seq
  }

  /// Whether something that was held back has not been read yet; before the first page ``lastSeq`` is but a claim.
  var isBehind: Bool { heldBack.map { claimedSeq != nil || $0.upperBound > lastSeq } ?? false }

  /// What the client has by its own account, on the first page: no `seq` that the inbox has not reached yet.
  func takeClaim(within seq: Int) -> ClosedRange<Int>? {
    guard let claimedSeq else { return nil }
    self.claimedSeq = nil
    lastSeq = min(lastSeq, seq)
    return 0...min(claimedSeq, seq)
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
