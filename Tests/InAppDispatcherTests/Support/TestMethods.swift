import Broker
import CatalogueVersions
import Foundation
import BelfryJSON
import Logging
import NotificationModel
import NotificationQueue
import NotificationStore
import Postgres
import SignalRProtocol
import Testing
import TestSupport

@testable import InAppDispatcher

/// A hub with its methods on a database of its own, and what a router does: stores notifications and publishes them.
struct TestMethods {
  let hub: TestHub
  let database: PostgresClient
  let presence: PresenceKeeper
  let catalogue: Catalogue
  let methods: HubMethods

  private static let catalogue = Result { try Catalogue() }

  /// - Parameters:
  ///   - catalogue: Nil is the built-in one.
  ///   - catalogues: What the methods follow; nil is the catalogue, which stays.
  ///   - publisher: Carries what is published to all connections; nil: nothing does, and nobody waits for it.
  static func run(
    catalogue: Catalogue? = nil,
    catalogues: CatalogueInForce? = nil,
    publisher: BrokerPublisher? = nil,
    logger: Logger = .quiet,
    adjust: (inout HubServerConfiguration) -> Void = { _ in },
    _ body: (TestMethods) async throws -> Void
  ) async throws {
    try await TestDatabase.with(connections: 4) { client in
      let catalogue = try catalogue ?? Self.catalogue.get()
      let presence = PresenceKeeper(store: PresenceStore(client: client), node: "node-1", logger: logger)
      var configuration = try BrokerConfiguration(url: "amqp://127.0.0.1:1/")
      configuration.availabilityTimeout = .milliseconds(1)
      let methods = HubMethods(
        inbox: InboxStore(client: client),
        realtime: RealtimePublisher(
          publisher: publisher ?? BrokerPublisher(configuration: configuration, logger: logger),
          appID: "belfry-inapp",
          logger: logger
        ),
        catalogues: catalogues ?? CatalogueInForce(catalogue),
        presence: presence,
        logger: logger
      )
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await presence.run() }
        defer { group.cancelAll() }
        try await TestHub.run(methods: methods, logger: logger, adjust: adjust) { hub in
          try await body(
            TestMethods(hub: hub, database: client, presence: presence, catalogue: catalogue, methods: methods)
          )
        }
      }
    }
  }

  /// Stores `count` notifications of a user.
  ///
  /// - Returns: What the router would publish then.
  @discardableResult
  func store(_ count: Int, for user: UserID, body: String = "Body") async throws -> RealtimeMessage {
    try await store(
      (0..<count).map { try Self.content(title: "Número \($0 + 1)", body: body, data: ["amount": "$10.00"]) },
      for: user
    )
  }

  /// Stores a notification of each content.
  ///
  /// - Returns: What the router would publish then.
  func store(_ contents: [NotificationContent], for user: UserID) async throws -> RealtimeMessage {
    var notifications: [NewNotification] = []
    for (index, content) in contents.enumerated() {
      let request = RequestID(now: content.createdAt)
      notifications.append(
        NewNotification(
          id: NotificationID(request: request, recipient: user),
          userID: user,
          requestID: request,
          content: index,
          plan: PerChannel(inApp: .deliver, push: .skip(.preferenceOff), email: .skip(.preferenceOff))
        )
      )
    }
    let stored = try await NotificationStore(client: database).store(notifications, contents: contents)
    return RealtimeMessage(
      contents: contents,
      events: zip(notifications, stored).map { notification, stored in
        RealtimeMessage.Event(
          .notification(notification.id, seq: stored.seq, content: notification.content),
          userId: user,
          unread: stored.unread
        )
      }
    )
  }

  static func content(
    title: String = "Title",
    body: String = "Body",
    data: [String: String],
    literals: Set<String> = [],
    related: (type: String, id: String)? = ("Account", "7"),
    at time: Date = .now
  ) throws -> NotificationContent {
    let type = try #require(try Self.catalogue.get().type(.code(10)))
    return NotificationContent(
      type: type,
      text: type.template.render(title: title, body: body, data: [:]),
      data: data,
      literals: literals,
      relatedEntityType: related?.type,
      relatedEntityId: related?.id,
      collapseKey: nil,
      createdAt: time,
      expiresAt: time + 86_400
    )
  }

  /// Stores notifications and publishes them to the hub's connections.
  func send(_ count: Int, to user: UserID) async throws {
    try await hub.server.deliver([try await store(count, for: user)])
  }

  /// A user's notifications in the database, by ascending `seq`.
  func ids(of user: UserID) async throws -> [NotificationID] {
    try await database.query(
      "SELECT id FROM notifications WHERE user_id = \(user) AND in_app = \(InboxState.inbox.rawValue) ORDER BY seq"
    )
    .map { try $0.get(0) }
  }
}

extension HubMessage {
  static func resume(_ id: String?, after seq: Int) -> HubMessage {
    .invocation(id: id, target: "Resume", arguments: [.integer(Int64(seq))])
  }

  /// The `seq` of the notification that this message brings: a `ReceiveNotification` or an item of a stream.
  var seq: Int? {
    switch self {
    case .invocation(_, "ReceiveNotification", let arguments, _): arguments.first?["seq"]?.integerValue.map(Int.init)
    case .streamItem(_, let item): item["seq"]?.integerValue.map(Int.init)
    default: nil
    }
  }

  /// The `seq` of the notifications in a call's result.
  var resultSeqs: [Int]? {
    guard case .completion(_, .value(.array(let items))) = self else { return nil }
    return items.compactMap { $0["seq"]?.integerValue.map(Int.init) }
  }

  var unreadCount: Int? {
    guard case .invocation(_, "UnreadCountChanged", let arguments, _) = self else { return nil }
    return arguments.first?.integerValue.map(Int.init)
  }
}
