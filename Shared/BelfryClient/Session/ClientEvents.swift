import BelfryJSON

/// A notification that has just come.
public struct ReceivedNotification: Sendable, Hashable {
  /// As the inbox has it now.
  public let notification: BelfryNotification
  /// Whether it came while the client was not connected.
  public let isMissed: Bool

  /// What ``BelfryClient/notifications`` gives.
  public init(_ notification: BelfryNotification, isMissed: Bool) {
    self.notification = notification
    self.isMissed = isMissed
  }
}

/// What changed in the inbox, by the user here or elsewhere, or by the server.
public enum InboxChange: Sendable, Hashable {
  /// One is new, or otherwise by now.
  case changed(BelfryNotification)
  /// One is in no list any more.
  case removed(BelfryNotification.ID)
  /// More changed than is named: ask for the list again.
  case reloaded
}

/// A list as far as it was read.
public struct InboxList: Sendable, Equatable {
  /// The newest one first.
  public let notifications: [BelfryNotification]
  /// Whether there are older ones.
  public let hasMore: Bool
  /// Whether a page of it is on its way.
  public let isLoading: Bool
  /// Whether it was read at least once.
  public let isLoaded: Bool
  /// Why it could not be read the last time.
  public let error: BelfryError?
  /// Of two lists of one filter and user the notifications are the same if this is.
  let revision: Int
}

/// A call of the hub that is about no notification.
struct RelayedEvent: Sendable {
  let name: String
  let arguments: [JSONValue]

  /// The payload as one value.
  ///
  /// - Parameter names: Of the arguments, where the catalogue sends the payload's members apart.
  func payload(_ names: [String]) -> JSONValue {
    if names.isEmpty || arguments.count == 1 && arguments[0].members != nil {
      return arguments.count == 1 ? arguments[0] : .array(arguments)
    }
    return .object(zip(names, arguments).map { JSONMember($0, $1) })
  }
}

/// What apps listen to.
struct Outlets: Sendable {
  let notifications = Broadcast<ReceivedNotification>()
  let unreadCounts = Broadcast<Int>(repeatsLatest: true)
  let changes = Broadcast<InboxChange>()
  let events = Broadcast<RelayedEvent>()
  let states = Broadcast<ConnectionState>(first: .disconnected)
  let errors = Broadcast<BelfryError>()
  /// Something of the lists, or of how they are being read, is otherwise.
  let updates = Broadcast<Void>()

  /// Begins with the state that there is, and names none twice in a row.
  func stateStream() -> AsyncStream<ConnectionState> {
    let last = Locked<ConnectionState?>(nil)
    return states.stream(bound: 1_024) { state in
      last.withLock { last in
        defer { last = state }
        return last == state ? nil : state
      }
    }
  }

  func finish() {
    notifications.finish()
    unreadCounts.finish()
    changes.finish()
    events.finish()
    states.finish()
    errors.finish()
    updates.finish()
  }
}
