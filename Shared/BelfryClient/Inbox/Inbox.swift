import Foundation

/// What the server sent, and what is pending on top of it. Knows no network and no clock.
///
/// The unread count is the server's and what changed since it was sent. Nothing here goes through the whole list for a notification that
/// arrives.
struct Inbox: Sendable {
  /// Beyond it the older half goes; it can be asked for again.
  static let maximumKept = 20_000
  private static let maximumRemembered = 2_000
  private static let maximumTouched = 500
  private static let maximumMissed: Int64 = 1_000

  /// A notification as the server has it, and when that was sent.
  struct Entry: Sendable {
    var item: BelfryNotification
    var at: Int
  }

  /// Counts what was sent and asked: an answer changes nothing that was sent after its question.
  var clock = 0
  /// When the last thing was sent, and when the last count was.
  var changedAt = 0
  var countedAt = 0
  /// The highest `seq` that the hub sent. Pages may have what it has yet to send.
  var highestSeq: Int64 = 0
  /// The last `seq` up to which everything is known; nil before the first page.
  var lastSeq: Int64?
  /// From where on the hub is asked for what was missed, where the list has a gap after it; otherwise ``lastSeq``.
  private(set) var gapSeq: Int64?
  /// ``lastSeq`` when the list was last compared with the server's.
  var syncedSeq: Int64?
  /// The end of the first page.
  var firstFloor = SortedIDs.bottom
  /// The unread count that the server sent; nil until then.
  var count: Int?
  /// How many more are unread than ``count`` has, by what was sent after it.
  var drift = 0

  private var base: [UUID: Entry] = [:]
  private var order = SortedIDs()
  private var baseUnread = 0
  private var shownUnread = 0
  var deleted = RecentIDs(limit: maximumRemembered)
  var announced = RecentIDs(limit: maximumRemembered)
  var views: [NotificationFilter: InboxView] = [:]

  /// In the order in which the user did them.
  private(set) var operations: [InboxOperation] = []
  /// Of each notification, the ids of the operations that concern it, in their order.
  private var concerning: [UUID: [Int]] = [:]

  /// What changed since it was last taken: nil is more than is remembered.
  private var touched: Set<UUID>? = []
  /// Another number whenever a list may be another one.
  private(set) var revision = 0

  // MARK: Reading

  var size: Int { base.count }

  /// The notification with the operations that concern it.
  subscript(_ id: UUID) -> BelfryNotification? {
    var item = base[id]?.item
    guard let ids = concerning[id] else { return item }
    for operation in ids {
      guard let before = item, let index = index(of: operation) else { break }
      item = operations[index].apply(before)
    }
    return item
  }

  func entry(_ id: UUID) -> Entry? { base[id] }

  /// Whether an operation on it is under way.
  func isConcerned(_ id: UUID) -> Bool { concerning[id] != nil }

  /// Nil until the server sent one.
  var unreadCount: Int? {
    guard let count else { return nil }
    if operations.contains(where: \.isAll) { return shownUnread }
    return max(0, count + drift + shownUnread - baseUnread)
  }

  /// How many are unread of those that are known, as the server has them.
  var knownUnread: Int { baseUnread }

  /// The newest one first.
  var unreadIDs: [UUID] { order.ids.reversed().filter { self[$0]?.isUnread == true } }

  func ids(from floor: UUID, to top: UUID? = nil) -> ArraySlice<UUID> { order.range(from: floor, to: top) }

  /// What changed since the last call: ids, or nil for more than is remembered.
  mutating func takeTouched() -> Set<UUID>? {
    defer { touched = [] }
    return touched
  }

  // MARK: Changing

  /// To be kept with a question, and given with its answer.
  mutating func ask() -> Int {
    clock += 1
    return clock
  }

  /// Something was sent.
  mutating func changed() {
    changedAt = ask()
  }

  /// Everything up to what was sent is there.
  mutating func advance() {
    lastSeq = max(lastSeq ?? 0, highestSeq)
    gapSeq = nil
  }

  /// Everything up to there is there or will be asked for, but for what came after what was known: of that no more is announced than one
  /// has room for.
  mutating func leap(to seq: Int64) {
    if let known = gapSeq ?? lastSeq { gapSeq = max(known, seq - Self.maximumMissed) }
    lastSeq = seq
  }

  /// - Parameters:
  ///   - item: Nil takes it away.
  ///   - isSent: Whether a count follows. The count of an answer, and the one that was known at that time, have it already.
  mutating func set(_ id: UUID, _ item: BelfryNotification?, at: Int, isSent: Bool) {
    let before = base[id]?.item
    let wasUnread = before?.isUnread ?? false
    let wasShown = self[id]?.isUnread ?? false
    if let item {
      base[id] = Entry(item: item, at: at)
      if before == nil { order.insert(id) }
    } else if before != nil {
      base[id] = nil
      order.remove(id)
    }
    if before != item { touch(id) }
    let change = (item?.isUnread ?? false ? 1 : 0) - (wasUnread ? 1 : 0)
    baseUnread += change
    if isSent { drift += change }
    recount(id, wasShown)
  }

  /// Forgets what was sent up to then of the notifications below a floor: it is not known to be right any more.
  mutating func forget(below floor: UUID, asked: Int) {
    let base = base
    for id in order.removeAll(below: floor, where: { (base[$0]?.at ?? 0) <= asked }) {
      if self[id]?.isUnread == true { shownUnread -= 1 }
      if base[id]?.item.isUnread == true { baseUnread -= 1 }
      self.base[id] = nil
    }
    touched = nil
    listsChanged()
    for filter in views.keys { views[filter]?.raise(to: floor) }
  }

  /// Keeps the list within its bound.
  mutating func trim() {
    if order.count > Self.maximumKept { forget(below: order.ids[order.count - Self.maximumKept / 2], asked: .max) }
  }

  mutating func listsChanged() {
    revision += 1
  }

  private mutating func touch(_ id: UUID) {
    listsChanged()
    if (touched?.count ?? 0) < Self.maximumTouched { touched?.insert(id) } else { touched = nil }
  }

  private mutating func recount(_ id: UUID, _ wasShown: Bool) {
    shownUnread += (self[id]?.isUnread ?? false ? 1 : 0) - (wasShown ? 1 : 0)
  }

  // MARK: Operations

  func index(of operation: Int) -> Int? {
    // They are in the order of their ids.
    var (low, high) = (0, operations.count)
    while low < high {
      let middle = (low + high) / 2
      if operations[middle].id < operation { low = middle + 1 } else { high = middle }
    }
    return low < operations.count && operations[low].id == operation ? low : nil
  }

  /// Puts an operation on top of those with lower ids.
  mutating func add(_ operation: InboxOperation) {
    let shown = operation.notifications.map { self[$0]?.isUnread ?? false }
    operations.insert(operation, at: (operations.lastIndex { $0.id < operation.id } ?? -1) + 1)
    for (id, wasShown) in zip(operation.notifications, shown) {
      let others = concerning[id] ?? []
      concerning[id] = others.filter { $0 < operation.id } + [operation.id] + others.filter { $0 > operation.id }
      touch(id)
      recount(id, wasShown)
    }
  }

  /// Takes an operation back.
  mutating func drop(_ id: Int) {
    guard let index = index(of: id) else { return }
    let notifications = operations[index].notifications
    let shown = notifications.map { self[$0]?.isUnread ?? false }
    operations.remove(at: index)
    for (id, wasShown) in zip(notifications, shown) {
      let left = (concerning[id] ?? []).filter { self.index(of: $0) != nil }
      concerning[id] = left.isEmpty ? nil : left
      touch(id)
      recount(id, wasShown)
    }
  }

  /// Changes how far an operation is, and nothing of its effect.
  mutating func update(_ id: Int, _ change: (inout InboxOperation) -> Void) {
    if let index = index(of: id) { change(&operations[index]) }
  }
}
