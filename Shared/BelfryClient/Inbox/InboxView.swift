import Foundation

/// How far a list has been read.
struct InboxView: Sendable, Equatable {
  let filter: NotificationFilter
  /// The oldest one that belongs to the part that was read; nil: nothing was read yet.
  var floor: UUID?
  var hasMore = false
  var isLoaded = false

  /// The part below a floor was forgotten.
  mutating func raise(to floor: UUID) {
    guard let own = self.floor, own.precedes(floor) else { return }
    self.floor = floor
    hasMore = true
  }
}

extension Inbox {
  /// The list of everything in the inbox.
  static let main = NotificationFilter()
  private static let maximumViews = 50

  func view(_ filter: NotificationFilter) -> InboxView { views[filter] ?? InboxView(filter: filter) }

  /// The part of a list that was read, the newest one first.
  func list(_ filter: NotificationFilter) -> [BelfryNotification] {
    guard let floor = view(filter).floor else { return [] }
    return ids(from: floor).reversed().compactMap { id in
      guard let item = self[id], filter.matches(item) else { return nil }
      return item
    }
  }

  func hasMore(_ filter: NotificationFilter) -> Bool { view(filter).hasMore && size < Self.maximumKept }

  /// The first page of a list, or the next one; says whether the count in it could be taken.
  mutating func take(_ page: NotificationPage, of filter: NotificationFilter, asked: Int, isFirst: Bool) -> Bool {
    var view = view(filter)
    let top = isFirst ? nil : view.floor
    var ids: Set<UUID> = []
    var lowest: UUID?
    for item in page.notifications where put(item, asked: asked) {
      ids.insert(item.id)
      if lowest.map(item.id.precedes) ?? true { lowest = item.id }
    }
    // A page that leads nowhere is the last one.
    let goesOn = page.hasMore && lowest.map { lowest in top.map(lowest.precedes) ?? true } ?? false
    let floor = goesOn ? lowest ?? SortedIDs.bottom : SortedIDs.bottom
    if isFirst && filter == Self.main {
      takeFirst(
        page.notifications.filter { ids.contains($0.id) }.compactMap(\.seq),
        floor: floor,
        goesOn: goesOn,
        asked
      )
      view = self.view(filter)
    }
    for id in self.ids(from: floor, to: top) where !ids.contains(id) {
      guard let entry = entry(id), entry.at <= asked, filter.matches(entry.item) else { continue }
      set(id, nil, at: asked, isSent: false)
    }
    // What was read beyond the first page stays.
    let isDeeper = view.isLoaded && view.floor.map { $0.precedes(floor) } ?? false
    if !isFirst || !isDeeper {
      view.floor = floor
      view.hasMore = goesOn
    }
    view.isLoaded = true
    keep(view)
    trim()
    return takeCount(page.unreadCount, asked: asked)
  }

  /// The count of an answer; says whether it could be taken, or a newer one was sent meanwhile.
  mutating func takeCount(_ value: Int?, asked: Int) -> Bool {
    changedAt > asked ? countedAt == changedAt : takeCount(value, isAnswer: true) != nil
  }

  private mutating func takeFirst(_ seqs: [Int64], floor: UUID, goesOn: Bool, _ asked: Int) {
    let isGap = lastSeq.map { goesOn && (seqs.min() ?? 0) > $0 && (seqs.min() ?? 0) - $0 > 1 } ?? false
    if isGap { forget(below: floor, asked: asked) }
    if isGap || lastSeq == nil { leap(to: max(0, seqs.max() ?? 0)) }
    firstFloor = floor
  }

  /// The list is as the server has it; others than this one are to be asked for anew.
  mutating func markSynced(_ filter: NotificationFilter) {
    syncedSeq = lastSeq
    for other in views.keys where other != Self.main && other != filter { views[other]?.isLoaded = false }
  }

  private mutating func keep(_ view: InboxView) {
    if views.count >= Self.maximumViews, views[view.filter] == nil {
      views = views.filter { $0.key == Self.main }
    }
    views[view.filter] = view
    listsChanged()
  }

  /// What an answer to a question of `asked` says; false for what was deleted meanwhile.
  private mutating func put(_ item: BelfryNotification, asked: Int) -> Bool {
    if deleted.contains(item.id) { return false }
    if (entry(item.id)?.at ?? 0) <= asked { set(item.id, item, at: asked, isSent: false) }
    return true
  }

  /// What an answer says of something that may be anywhere in the list.
  mutating func revise(_ item: BelfryNotification, asked: Int) {
    _ = put(item, asked: asked)
  }
}
