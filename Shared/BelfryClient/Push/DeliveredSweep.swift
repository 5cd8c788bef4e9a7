/// Takes notifications that were read, archived, snoozed or deleted elsewhere out of the system's list.
public struct DeliveredSweep: Sendable {
  /// For how long changes are collected: each look into the system's list is a call to another process.
  private static let pause = Duration.milliseconds(200)
  private static let bound = 256

  /// Not the client: whoever lets go of that ends this.
  private let session: UserSession
  private let center: any SystemNotifications

  /// - Parameters:
  ///   - client: Of the user who is signed in now: make another one for the next user.
  ///   - center: Whose list is swept.
  public init(_ client: BelfryClient, in center: any SystemNotifications) {
    session = client.session
    self.center = center
  }

  /// Follows the inbox's changes, until the user signs out or the task is cancelled.
  public func run() async {
    let changes = session.outlets.changes.stream(bound: Self.bound, loss: .reloaded)
    let clock = session.clock
    let (wishes, wish) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        for await change in changes where change.endsDelivery { wish.yield() }
      }
      group.addTask {
        for await _ in wishes {
          try? await clock.sleep(for: Self.pause)
          if !Task.isCancelled { await sweep() }
        }
      }
      // The first to end is the one that reads.
      await group.next()
      group.cancelAll()
    }
  }

  /// Compares the system's list with what is known of the inbox, once. What is not known stays.
  ///
  /// - Parameter deleted: Known to be in no list any more.
  public func sweep(deleted: Set<BelfryNotification.ID> = []) async {
    let delivered = await center.delivered()
    var over = deleted
    for id in Set(delivered.compactMap(\.notification)) {
      if await session.isOverOnDevice(id) { over.insert(id) }
    }
    let identifiers = Self.identifiers(of: over, in: delivered)
    if !identifiers.isEmpty { await center.remove(identifiers) }
  }

  /// The system's names of those that are over.
  static func identifiers(of over: Set<BelfryNotification.ID>, in delivered: [DeliveredNotification]) -> [String] {
    delivered.filter { $0.notification.map(over.contains) ?? false }.map(\.identifier)
  }
}

extension InboxChange {
  /// Whether a notification may be one that the system need not show any more.
  fileprivate var endsDelivery: Bool {
    switch self {
    case .changed(let notification): !notification.isUnread
    case .removed, .reloaded: true
    }
  }
}

extension UserSession {
  /// Whether it is known, and is not unread any more or deleted.
  fileprivate func isOverOnDevice(_ id: BelfryNotification.ID) -> Bool {
    inbox[id].map { !$0.isUnread } ?? inbox.deleted.contains(id)
  }
}
