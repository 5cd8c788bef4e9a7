import Foundation
import NotificationModel
import Rules
import Synchronization
import TestSupport
import Testing
import UserIdentity

@testable import NotificationStore
@testable import Router

/// What routing reads and writes, in memory: what was stored outlives the processes that use it through ``Connection``.
final class InMemoryStores: Sendable {
  /// One call, for ``fail(_:)``.
  enum Call: Sendable {
    case recipients
    case store([NewNotification])
    case change
    case members
    case claim
    case identify
    case held
    case wait
    case residents
    case rules
    case record
    case topics
  }

  struct Row {
    var notification: NewNotification
    var seq: Int
    var content: NotificationContent
    var isRead = false
  }

  struct State {
    var people: [UserID: Recipient] = [:]
    var groups: [String: [UserID]] = [:]
    var rows: [NotificationID: Row] = [:]
    var unread: [UserID: Int] = [:]
    var keys: [String: (id: RequestID, hash: [UInt8])] = [:]
    var identifiers: [UserID: String] = [:]
    var largest = 0
    var held: [HeldEntry.Key: Held] = [:]
    var uses: [NotificationID: Use] = [:]
    var waiting: [RequestID: ScheduleStore.WaitingSend] = [:]
    var zones: [UserID: String] = [:]
    var withdrawn: [RequestID: String?] = [:]
    var forNobody: Set<NamedRequest> = []
    var rules: [RuleStateKey: String] = [:]
    var outcomes: [DeliveryStore.Record] = []
    var topics: [RequestID: TopicDeliveryStore.Push] = [:]
    /// Notices that the broker has not confirmed.
    var notices: [RequestID: RuleStore.Notice] = [:]
  }

  private let state = Mutex(State())
  private let fault = Mutex<(@Sendable (Call) -> (any Error)?)?>(nil)

  /// Asked at each call for its error; nil lets all succeed.
  func fail(_ fault: (@Sendable (Call) -> (any Error)?)?) {
    self.fault.withLock { $0 = fault }
  }

  func setGroup(_ name: String, _ members: [UserID]) { state.withLock { $0.groups[name] = members.sorted() } }

  func change(_ user: UserID, _ change: (inout Recipient) -> Void) {
    state.withLock { change(&$0.people[user, default: Self.reachable(user)]) }
  }

  /// How many rows each user has.
  var stored: [UserID: Int] {
    state.withLock { $0.rows.values.reduce(into: [:]) { $0[$1.notification.userID, default: 0] += 1 } }
  }

  /// How many rows each user's inbox counts.
  var counted: [UserID: Int] { state.withLock(\.unread) }

  /// What routing recorded itself.
  var outcomes: [DeliveryStore.Record] { state.withLock(\.outcomes) }

  /// What waits.
  var held: [HeldEntry.Key: Held] { state.withLock(\.held) }

  /// The most notifications that one call stored.
  var largestTransaction: Int { state.withLock(\.largest) }

  /// - Parameter caller: Nil is an admin.
  func withdraw(_ request: RequestID, by caller: String? = nil) {
    state.withLock { _ = $0.withdrawn.updateValue(caller, forKey: request) }
  }

  /// Sends for later.
  var scheduled: Set<RequestID> { state.withLock { Set($0.waiting.keys) } }

  /// Pushes to topics that were noted.
  var topics: [RequestID: TopicDeliveryStore.Push] { state.withLock(\.topics) }

  /// Requests that were for nobody.
  var forNobody: Set<NamedRequest> { state.withLock(\.forNobody) }

  /// Where somebody lives; nil is nowhere that is known of.
  func move(_ user: UserID, to zone: String?) { state.withLock { $0.zones[user] = zone } }

  func rows(of user: UserID) -> [NewNotification] {
    state.withLock { $0.rows.values.map(\.notification).filter { $0.userID == user } }
  }

  /// What each of a user's notifications says.
  func texts(of user: UserID) -> [NotificationTemplate.Text] {
    state.withLock { state in
      state.rows.values.filter { $0.notification.userID == user }.map {
        .init(title: $0.content.title, body: $0.content.body)
      }
    }
  }

  /// Somebody who can be reached in every way and wants it.
  static func reachable(_ user: UserID) -> Recipient {
    var recipient = Recipient(id: user)
    recipient.email = "\(user)@example.org"
    recipient.typeChoices = ChannelChoices(inApp: true, push: true, email: true)
    recipient.devices = [Device(id: DeviceID(user.uuid), token: "token-\(user)", platform: .android)]
    return recipient
  }

  /// Gives what a user has another title than the one it was stored with.
  func rename(_ user: UserID, title: String) {
    state.withLock { state in
      for (id, row) in state.rows where row.notification.userID == user { state.rows[id]?.content.title = title }
    }
  }

  /// Deletes what a user has.
  func delete(_ user: UserID) {
    state.withLock { state in state.rows = state.rows.filter { $0.value.notification.userID != user } }
  }

  /// Marks what a user has as read.
  func read(_ user: UserID) {
    state.withLock { state in
      for (id, row) in state.rows where row.notification.userID == user { state.rows[id]?.isRead = true }
    }
  }

  /// What one process sees of the stores: each call is a step of its life.
  struct Connection: Sendable {
    let stores: InMemoryStores
    let life: Lifetime

    func step<Value>(_ call: Call, _ effect: (inout State) -> Value) async throws -> Value {
      try await life.step {
        if let error = stores.fault.withLock(\.self)?(call) { throw error }
        return stores.state.withLock { effect(&$0) }
      }
    }
  }
}

extension InMemoryStores.Connection: RecipientStoring {
  func recipients(for keys: Set<RecipientStore.Key>) async throws -> [RecipientStore.Key: Recipient] {
    try await step(.recipients) { state in
      var found: [RecipientStore.Key: Recipient] = [:]
      for key in keys { found[key] = state.people[key.user] ?? InMemoryStores.reachable(key.user) }
      return found
    }
  }
}

extension InMemoryStores.Connection: NotificationStoring {
  func store(
    _ notifications: [NewNotification],
    contents: [NotificationContent]
  ) async throws -> [StoredNotification] {
    // The real one refuses that.
    if Set(notifications.map(\.id)).count < notifications.count { Issue.record("a notification twice in one call") }
    return try await step(.store(notifications)) { state in
      state.largest = max(state.largest, notifications.count)
      return notifications.map { notification in
        let user = notification.userID
        if state.rows[notification.id] == nil, let siblings = notification.siblings,
          let notified = state.rows.values.map(\.notification).first(where: {
            $0.userID == user && $0.requestID == notification.requestID && siblings.contains($0.id)
          }), let seq = state.rows[notified.id]?.seq
        {
          return StoredNotification(isNew: false, seq: seq, unread: state.unread[user, default: 0], former: nil)
        }
        if let row = state.rows[notification.id] {
          return StoredNotification(
            isNew: false,
            seq: row.seq,
            unread: state.unread[user, default: 0],
            former: .init(plan: row.notification.plan, title: row.content.title, body: row.content.body)
          )
        }
        let seq = state.unread[user, default: 0] + 1
        state.unread[user] = seq
        let content = contents[notification.content]
        state.rows[notification.id] = InMemoryStores.Row(
          notification: notification,
          seq: seq,
          content: content
        )
        InMemoryStores.hold(notification, content, in: &state.held)
        return StoredNotification(isNew: true, seq: seq, unread: seq, former: nil)
      }
    }
  }

  func change(_ channel: Channel, of changes: [DecisionChange]) async throws -> Set<NotificationID> {
    try await step(.change) { state in
      var changed: Set<NotificationID> = []
      for change in changes where state.rows[change.id]?.notification.plan[channel]?.code == change.from.code {
        state.rows[change.id]?.notification.plan[channel] = change.to
        changed.insert(change.id)
      }
      return changed
    }
  }
}

extension InMemoryStores.Connection: OutcomeStoring {
  func record(_ records: [DeliveryStore.Record]) async throws {
    try await step(.record) { $0.outcomes += records }
  }
}

extension InMemoryStores.Connection: GroupStoring {
  func members(of group: String, after: UserID?, limit: Int) async throws -> [UserID] {
    try await step(.members) { state in
      let members = state.groups[group, default: []]
      return Array(members.drop { user in after.map { user <= $0 } ?? false }.prefix(limit))
    }
  }
}

extension InMemoryStores.Connection {
  /// All whom somebody changed: ``InMemoryStores/change(_:_:)``.
  func everyone(after: UserID?, limit: Int) async throws -> [UserID] {
    try await step(.members) { state in
      Array(state.people.keys.sorted().drop { user in after.map { user <= $0 } ?? false }.prefix(limit))
    }
  }
}

extension InMemoryStores.Connection: IdentifierStoring {
  func claim(_ claims: [(identifier: UserIdentifier, asked: Date)]) async throws -> Set<UserIdentifier> {
    try await step(.identify) { state in
      Set(
        claims.map(\.identifier).filter { identifier in
          let text = state.identifiers[UserID(identifier.uuid)] ?? identifier.description
          state.identifiers[UserID(identifier.uuid)] = text
          return !identifier.isSpelled(text)
        }
      )
    }
  }

  /// It remembers nothing.
  func know(_ identifiers: [UserIdentifier]) -> Bool { false }

  func check(_ identifiers: [UserIdentifier]) async throws -> Set<UserIdentifier> {
    try await step(.identify) { state in
      Set(identifiers.filter { !$0.isSpelled(state.identifiers[UserID($0.uuid)] ?? $0.description) })
    }
  }

  func texts(of users: [UserID]) async throws -> UserTexts {
    try await step(.identify) { state in UserTexts(state.identifiers.filter { users.contains($0.key) }) }
  }
}

extension InMemoryStores.Connection: KeyStoring {
  func claim(_ claims: [IdempotencyStore.Claim]) async throws -> [IdempotencyStore.Entry] {
    try await step(.claim) { state in
      claims.map { claim in
        let name = "\(claim.scope)\n\(claim.key)"
        let entry = state.keys[name] ?? (claim.requestID, claim.bodyHash)
        state.keys[name] = entry
        return IdempotencyStore.Entry(
          requestID: entry.id,
          isSameBody: entry.hash == claim.bodyHash,
          isConfirmed: false,
          isNew: entry.id == claim.requestID
        )
      }
    }
  }
}

extension InMemoryStores.Connection: SendStoring {
  func store(_ sends: [ScheduleStore.WaitingSend], now: Date) async throws {
    try await step(.wait) { state in
      for send in sends { state.waiting[send.id] = state.waiting[send.id] ?? send }
    }
  }
}

extension InMemoryStores.Connection: WithdrawalStoring {
  func withdrawn(among requests: Set<NamedRequest>) async throws -> Set<NamedRequest> {
    stores.state.withLock { state in
      requests.filter { request in
        guard let caller = state.withdrawn[request.id] else { return false }
        return request.owner == .unknown || request.owner.belongs(to: caller)
      }
    }
  }
}

extension InMemoryStores.Connection: RequestStoring {
  func noteNobody(of requests: [NamedRequest], now: Date) async throws {
    try await step(.wait) { state in state.forNobody.formUnion(requests) }
  }
}

extension InMemoryStores.Connection: TopicStoring {
  func note(_ pushes: [TopicDeliveryStore.Push], now: Date) async throws -> [TopicDeliveryStore.Former] {
    try await step(.topics) { state in
      pushes.map { push in
        defer { state.topics[push.request.id] = push }
        guard state.topics[push.request.id] != nil else { return .unknown }
        let isFinished = state.outcomes.contains {
          $0.audience != nil && $0.notificationID.uuid == push.request.id.uuid
        }
        return isFinished ? .finished : .routed
      }
    }
  }
}

extension InMemoryStores.Connection: ResidentStoring {
  func zones(of audience: Audience) async throws -> Set<String> {
    try await step(.residents) { state in
      switch audience {
      case .users(let users): Set(users.map { state.zones[$0] ?? "" })
      case .group(let group, _): Set(state.groups[group, default: []].map { state.zones[$0] ?? "" })
      case .everyone: Set(state.people.keys.map { state.zones[$0] ?? "" })
      case .topic: [""]
      }
    }
  }

  func residents(of zones: [String], among users: [UserID]) async throws -> [UserID] {
    try await step(.residents) { state in users.filter { zones.contains(state.zones[$0] ?? "") } }
  }
}

extension InMemoryStores.Connection: PresenceStoring {
  func viewed(by users: [UserID], timeout: Duration) async throws -> [UserID: Set<RelatedEntity>] { [:] }
}

extension InMemoryStores.Row {
  init(_ composition: HeldSettlement.NewComposition) {
    self.init(
      notification: NewNotification(
        id: composition.id,
        userID: composition.members[0].entry.key.user,
        requestID: RequestID(composition.id.uuid),
        content: 0,
        plan: composition.plan
      ),
      seq: 0,
      content: composition.content
    )
  }
}

extension InMemoryStores.Connection: RuleStoring {
  func people(_ users: [UserID]) async throws -> [UserID: RuleStore.Person] { [:] }

  func change<Result>(
    _ keys: Set<RuleStateKey>,
    now: Date,
    _ decide: ([RuleStateKey: String]) throws -> (changes: RuleStore.Changes, result: Result)
  ) async throws -> Result {
    let (changes, result) = try decide(stores.state.withLock { $0.rules.filter { keys.contains($0.key) } })
    return try await step(.rules) { state in
      for (key, rule) in changes.states { state.rules[key] = rule.json }
      for notice in changes.notices { state.notices[notice.id] = notice }
      return result
    }
  }

  func forget(_ notices: [RequestID]) async throws {
    try await step(.rules) { state in
      for id in notices { state.notices[id] = nil }
    }
  }
}
