import BelfryClient
import Synchronization

/// What a client announces, in its order. It comes a little after the list has it: the hub sends what was missed apart.
struct Announcements: Sendable {
  private final class Collection: Sendable {
    let notifications = Mutex<[BelfryNotification]>([])
  }

  private let collection = Collection()
  private let collecting: Task<Void, Never>

  init(_ client: BelfryClient) {
    let (collection, stream) = (collection, client.notifications)
    collecting = Task {
      for await item in stream { collection.notifications.withLock { $0.append(item.notification) } }
    }
  }

  /// So far.
  var all: [BelfryNotification] { collection.notifications.withLock { $0 } }

  /// All of them, once the client has signed out.
  func untilTheEnd() async -> [BelfryNotification] {
    await collecting.value
    return all
  }
}
