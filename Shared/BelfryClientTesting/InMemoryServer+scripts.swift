public import BelfryClient
import BelfryJSON
public import Foundation
import SignalRProtocol

/// What happens on the server, as a test says.
extension InMemoryServer {
  /// A new notification, which connected clients get at once, whatever the user's preferences say.
  ///
  /// - Parameters:
  ///   - type: A code of the ``catalogue``; another one is a type that there is no more.
  ///   - data: As ``BelfryNotification/payload(as:decoder:)`` gives it.
  @discardableResult
  public func deliver(
    title: String = "Allowance Received!",
    body: String = "Your weekly allowance of $5.00 has been deposited.",
    type: Int = 10,
    data: [String: DataValue] = [:],
    relatedEntity: RelatedEntity? = nil,
    to user: String = InMemoryServer.user
  ) -> BelfryNotification {
    let (known, texts) = (catalogue.type(type), data.texts)
    let next = deliveredCount(to: user) + 1
    return deliver(
      BelfryNotification(
        id: UUID(clock.now, number: next),
        seq: nil,
        type: type,
        typeName: known?.name ?? "Unknown",
        category: known?.category,
        title: title,
        body: body,
        data: texts.data,
        dataObject: texts.object,
        priority: known.map { _ in "high" },
        createdAt: clock.now.rounded,
        timeAgo: "Just now",
        relatedEntity: relatedEntity,
        actions: known?.actions ?? []
      ),
      to: user
    )
  }

  /// Several new notifications with the same type, and numbers in their titles.
  @discardableResult
  public func deliver(count: Int, type: Int = 10, to user: String = InMemoryServer.user) -> [BelfryNotification] {
    (0..<max(0, count)).map { deliver(title: "Notification \($0 + 1)", type: type, to: user) }
  }

  /// A new notification as it is, but for its `seq`, which the server gives.
  @discardableResult
  public func deliver(_ notification: BelfryNotification, to user: String = InMemoryServer.user) -> BelfryNotification {
    let item = change(user) { $0.inbox.add(notification) }
    call(user, "ReceiveNotification", [HubValue(item.json(now: nil))])
    callCount(user)
    return item
  }

  /// A notification that is delivered later, while the preview or the test goes on; its `createdAt` is then.
  public nonisolated func deliver(
    _ notification: BelfryNotification,
    after wait: Duration,
    to user: String = InMemoryServer.user
  ) {
    let clock = clock
    Task { [weak self] in
      try await clock.sleep(for: wait)
      await self?.deliverNow(notification, to: user)
    }
  }

  /// The user reads it on another device.
  public func readElsewhere(_ ids: BelfryNotification.ID..., by user: String = InMemoryServer.user) {
    apply(.read, to: ids, of: user)
  }

  /// The user reads everything on another device.
  public func readAllElsewhere(by user: String = InMemoryServer.user) {
    apply(.read, to: nil, of: user)
  }

  /// The user marks it as unread on another device.
  public func unreadElsewhere(_ id: BelfryNotification.ID, by user: String = InMemoryServer.user) {
    apply(.unread, to: [id], of: user)
  }

  /// The user archives it on another device.
  public func archiveElsewhere(_ id: BelfryNotification.ID, by user: String = InMemoryServer.user) {
    apply(.archive, to: [id], of: user)
  }

  /// The user deletes it on another device, or its sender withdraws it.
  public func deleteElsewhere(_ id: BelfryNotification.ID, by user: String = InMemoryServer.user) {
    remove([id], of: user)
  }

  /// An event that the hub relays to connected clients, its payload as one object. Times are RFC 3339.
  ///
  /// - Throws: `EncodingError`.
  public func emit(_ event: String, _ payload: some Encodable, to user: String = InMemoryServer.user) throws {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .custom { date, encoder in
      var container = encoder.singleValueContainer()
      try container.encode(date.wireText)
    }
    let json = try JSONParser.parse(Array(encoder.encode(payload)))
    call(user, event, [HubValue(json)])
  }

  /// An event with its payload's members apart, as the hub sends those whose members the catalogue names.
  public func emit(_ event: String, arguments: [DataValue], to user: String = InMemoryServer.user) {
    call(user, event, arguments.map { HubValue($0.json) })
  }

  private func deliverNow(_ notification: BelfryNotification, to user: String) {
    let id = UUID(clock.now, number: deliveredCount(to: user) + 1)
    deliver(notification.with(id: id, createdAt: clock.now.rounded), to: user)
  }

  // MARK: Carried out

  /// Does something to notifications, and tells the user's connections; gives how many changed.
  @discardableResult
  func apply(_ operation: ServedOperation, to ids: [UUID]?, of user: String) -> Int {
    let now = clock.now
    let effects = change(user) { $0.inbox.apply(operation, to: ids, now: now) }
    tell(effects, to: user)
    if case .snooze(let until?) = operation { wakeLater(user, until) }
    return effects.count
  }

  @discardableResult
  func remove(_ ids: [UUID], of user: String) -> Int {
    let effects = change(user) { $0.inbox.remove(ids) }
    tell(effects, to: user)
    return effects.count
  }

  /// Snoozed notifications whose time has come are back.
  func wake(_ user: String) {
    guard users[user] != nil else { return }
    let now = clock.now
    tell(change(user) { $0.inbox.wake(now: now) }, to: user)
  }

  private func wakeLater(_ user: String, _ until: Date) {
    let clock = clock
    Task { [weak self] in
      try? await clock.sleep(for: .seconds(max(0, until.timeIntervalSince(clock.now))))
      await self?.wake(user)
    }
  }
}
