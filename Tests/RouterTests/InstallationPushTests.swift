import Foundation
import NotificationModel
import NotificationQueue
import NotificationStore
import Postgres
import TestSupport
import Testing

@testable import Router

/// An app that is registered with several providers, from its registrations in a real database to the dispatchers' queues.
@Suite struct InstallationPushTests {
  private let ann = UserID(UUID())
  private let app = UUID()
  private let keys = SubscriptionKeys(p256dh: "p", auth: "a")

  /// An iPhone that says whose its addresses are, the same without saying it, and a browser.
  private func register(_ client: PostgresClient) async throws {
    let devices = DeviceStore(client: client)
    for registration: DeviceStore.Registration in [
      .init(token: "fid", platform: .iOS, kind: .installation, installation: app),
      .init(
        token: "740f",
        platform: .apns,
        installation: app,
        apns: APNsAddress(environment: .sandbox, topic: "org.example.app")
      ),
      .init(token: "alone", platform: .android),
      .init(token: "https://push.example.net/1", platform: .webPush, keys: keys, vapidKey: "key"),
    ] {
      _ = try await devices.register(registration, of: ann)
    }
  }

  /// What each provider's dispatchers are sent of one notification.
  private func pushes(
    by carriers: [DevicePlatform.Carrier],
    _ client: PostgresClient
  ) async throws -> [DevicePlatform.Carrier: [DeliveryTarget]] {
    let router = TestRouter()
    for carrier in DevicePlatform.Carrier.allCases where !WorkQueue.allCases.contains(WorkQueue(carrier)) {
      router.broker.bind(WorkQueue(carrier).name, to: Topology.dispatchExchange, key: WorkQueue(carrier).name)
    }
    let type = try #require(try TestRouter.catalogue.get().type(.code(10)))
    let now = Date.now
    let content = NotificationContent(
      type: type,
      text: type.template.render(title: "Allowance", body: "Body", data: [:]),
      data: [:],
      relatedEntityType: nil,
      relatedEntityId: nil,
      collapseKey: nil,
      createdAt: now,
      expiresAt: now + 86_400
    )
    let order = RoutingOrder(requestId: RequestID(now: now), content: content, channels: nil, recipients: [ann])
    let publisher = RouterPublisher(publisher: router.broker)
    let channels = Channel.routing(pushingBy: PushProviders(carriers))
    try await TestRouter.batchRouter(on: client, publisher: publisher, channels: channels)
      .route([RoutingJob(type: type, order: order)], now: now)
    var pushes: [DevicePlatform.Carrier: [DeliveryTarget]] = [:]
    for carrier in DevicePlatform.Carrier.allCases {
      let targets = try router.dispatches(WorkQueue(carrier)).flatMap(\.deliveries).flatMap(\.targets)
      if !targets.isEmpty { pushes[carrier] = targets }
    }
    return pushes
  }

  @Test func `an app with several addresses gets one push, by the provider that is preferred of the deployment's`()
    async throws
  {
    try await TestDatabase.with(connections: 4) { client in
      try await register(client)
      let all = try await pushes(by: [.fcm, .apns, .webPush], client)
      #expect(
        all.mapValues { $0.map(\.address) } == [
          .fcm: ["alone"], .apns: ["740f"], .webPush: ["https://push.example.net/1"],
        ]
      )
      let apns = try #require(all[.apns]?.first?.apns)
      #expect(apns.environment == .sandbox && apns.topic == "org.example.app" && apns.registeredAt != nil)
      #expect(all[.webPush]?.map(\.vapidKey) == ["key"] && all[.webPush]?.map(\.credentials) == [keys])
      let alone = try await pushes(by: [.fcm], client)
      #expect(alone.mapValues { $0.map(\.address).sorted() } == [.fcm: ["alone", "fid"]])
      #expect(alone[.fcm]?.first { $0.address == "fid" }?.kind == .installation)
    }
  }

  @Test func `an address that APNs no longer knows gives way to the installation's next`() async throws {
    try await TestDatabase.with(connections: 4) { client in
      try await register(client)
      let devices = DeviceStore(client: client)
      let native = try #require(try await devices.devices(of: ann).first { $0.platform == 11 })
      try await devices.deactivate(tokens: [(ann, native.id, "740f", nil)], reason: "Unregistered")
      let left = try await pushes(by: [.fcm, .apns], client)
      #expect(left.mapValues { $0.map(\.address).sorted() } == [.fcm: ["alone", "fid"]])
    }
  }
}
