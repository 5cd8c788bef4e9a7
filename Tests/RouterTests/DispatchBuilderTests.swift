import Foundation
import NotificationQueue
import TestSupport
import Testing

@testable import NotificationModel
@testable import NotificationStore
@testable import Router

@Suite struct DispatchBuilderTests {
  private let contents: [NotificationContent]
  private let request: RequestID

  init() throws {
    let type = try #require(try Catalogue().type(.code(12)))
    contents = ["A", "B", "C"].map { title in
      NotificationContent(
        type: type,
        text: type.template.render(title: title, body: "text", data: [:]),
        data: [:],
        relatedEntityType: nil,
        relatedEntityId: nil,
        collapseKey: nil,
        createdAt: Date(timeIntervalSince1970: 1_800_000_000),
        expiresAt: Date(timeIntervalSince1970: 1_800_086_400)
      )
    }
    request = try #require(RequestID("019a8b7c-6d5e-7f40-8123-456789abcdef"))
  }

  private let push = PushRouting()
  private let email = EmailRouting()

  private var builder: DispatchBuilder { DispatchBuilder(contents: contents) }

  private func routed(
    _ number: Int,
    content: Int = 0,
    isNew: Bool = true,
    devices: Int = 1,
    email: String? = "mia@example.com",
    plan: RoutingPlan = PerChannel(inApp: .deliver, push: .deliver, email: .deliver),
    adjust: (inout Recipient) -> Void = { _ in }
  ) throws -> RoutedNotification {
    let user = try #require(UserID("00000000-0000-4000-8000-\(String(1_000_000_000_000 + number).dropFirst())"))
    var recipient = Recipient(id: user)
    recipient.displayName = "Mia"
    recipient.email = email
    recipient.devices = try (0..<devices).map { index in
      Device(
        id: try #require(DeviceID("00000000-0000-4000-9000-00000000000\(index)")),
        token: "token-\(number)-\(index)",
        platform: .iOS
      )
    }
    adjust(&recipient)
    var contents = contents
    return RoutedNotification(
      NewNotification(
        id: NotificationID(request: request, recipient: user),
        userID: user,
        requestID: request,
        content: content,
        plan: plan
      ),
      StoredNotification(
        isNew: isNew,
        seq: number + 1,
        unread: number + 2,
        former: isNew ? nil : .init(plan: plan, title: contents[content].title, body: contents[content].body)
      ),
      recipient: recipient,
      contents: &contents
    )
  }

  @Test func `one delivery has all of a person's devices and the unread count`() throws {
    let item = try routed(5, devices: 3)
    let messages = builder.dispatches([item], over: push).messages
    let message = try #require(messages.first)
    #expect(messages.count == 1)
    #expect(!message.recheck)
    #expect(message.attempt == 0)
    #expect(message.deliveries.count == 1)
    #expect(message.deliveries[0].notificationId == item.id)
    #expect(message.deliveries[0].badge == 7)
    #expect(message.deliveries[0].targets.map(\.address) == ["token-5-0", "token-5-1", "token-5-2"])
    #expect(message.deliveries[0].targets.map(\.platform) == [1, 1, 1])
  }

  @Test func `devices that no provider serves are no targets, and who has no others gets no message`() throws {
    let platforms: [DevicePlatform] = [.apns, .android, .webPush]
    let mixed = try routed(1, devices: 3) { recipient in
      for (index, platform) in platforms.enumerated() { recipient.devices[index].platform = platform }
    }
    let native = try routed(2) { $0.devices[0].platform = .apns }
    let message = try #require(builder.dispatches([mixed, native], over: push).messages.first)
    #expect(message.deliveries.map(\.notificationId) == [mixed.id])
    #expect(message.deliveries[0].targets.map(\.address) == ["token-1-1"])
    #expect(message.deliveries[0].targets.map(\.platform) == [2])
  }

  @Test func `each provider gets its own devices by a queue of its own, FCM by that of push`() throws {
    let keys = SubscriptionKeys(p256dh: "p", auth: "a")
    let items = try (1...3).map { number in
      try routed(number, devices: number == 3 ? 1 : 2) { recipient in
        guard number < 3 else { return }
        recipient.devices[1] = Device(
          id: recipient.devices[1].id,
          token: "https://push.example/\(number)",
          platform: .webPush,
          credentials: keys
        )
      }
    }
    let channels = Channel.routing(pushingBy: PushProviders([.webPush, .fcm]))
    let messages = DispatchBuilder(contents: contents, channels: channels).dispatches(items).messages
    #expect(messages.map(\.queue.name) == ["belfry.push", "belfry.push.webpush", "belfry.email"])
    let pushes = messages.prefix(2).map { $0.message.deliveries.map { $0.targets.map(\.address) } }
    #expect(
      pushes == [
        [["token-1-0"], ["token-2-0"], ["token-3-0"]], [["https://push.example/1"], ["https://push.example/2"]],
      ]
    )
    #expect(messages[0].message.deliveries.flatMap(\.targets).allSatisfy { $0.credentials == nil })
    #expect(messages[1].message.deliveries.flatMap(\.targets).allSatisfy { $0.credentials == keys })
  }

  @Test func `pushes say whether the person wants sound and badge`() throws {
    let items = try [
      routed(1), routed(2) { $0.isSoundEnabled = false }, routed(3) { $0.isBadgeEnabled = false },
    ]
    let deliveries = try #require(builder.dispatches(items, over: push).messages.first).deliveries
    #expect(deliveries.map(\.hasSound) == [true, false, true])
    #expect(deliveries.map(\.hasBadge) == [true, true, false])
  }

  @Test func `a mail goes to the person's address under the person's name`() throws {
    let message = try #require(builder.dispatches([try routed(1)], over: email).messages.first)
    let target = try #require(message.deliveries.first?.targets.first)
    #expect(target.id == "mia@example.com")
    #expect(target.address == "mia@example.com")
    #expect(target.name == "Mia")
    #expect(target.platform == nil)
  }

  @Test func `bulk mails go by a queue of their own, and all pushes by that of push`() throws {
    var contents = contents
    contents[1].mail.stream = .bulk
    let items = try (0..<4).map { try routed($0, content: $0 % 2) }
    let messages = DispatchBuilder(contents: contents).dispatches(items).messages
    #expect(messages.map(\.queue) == [.push, .email, .emailBulk])
    let people = messages.map { $0.message.deliveries.map(\.userId) }
    #expect(people == [[0, 1, 2, 3], [0, 2], [1, 3]].map { $0.map { items[$0].userID } })
    #expect(messages.map { $0.message.contents.map(\.title) } == [["A", "B"], ["A"], ["B"]])
  }

  @Test func `a bulk mail that no message has room for ends as messageTooLarge, once`() throws {
    var contents = contents
    contents[1].mail.stream = .bulk
    let long = String(repeating: "a", count: DispatchMessage.maximumSize)
    let item = try routed(1, content: 1, devices: 0) { $0.displayName = long }
    let dispatches = DispatchBuilder(contents: contents).dispatches([item])
    #expect(dispatches.messages.isEmpty)
    #expect(dispatches.outcomes.map(\.channel) == [.email])
  }

  @Test func `who is skipped, or has nowhere to send to, gets no message`() throws {
    let skipped: RoutingPlan = PerChannel(
      inApp: .skip(.notificationsOff),
      push: .skip(.notificationsOff),
      email: .skip(.notificationsOff)
    )
    let items = [try routed(1, plan: skipped), try routed(2, devices: 0, email: nil)]
    #expect(builder.dispatches(items, over: push).messages.isEmpty)
    #expect(builder.dispatches(items, over: email).messages.isEmpty)
    #expect(builder.realtime([items[0]]).isEmpty)
    #expect(builder.dispatches([], over: push).messages.isEmpty)
  }

  @Test func `a message has at most a hundred deliveries and none is lost`() throws {
    let items = try (0..<250).map { try routed($0) }
    let messages = builder.dispatches(items, over: push).messages
    #expect(messages.map(\.deliveries.count) == [100, 100, 50])
    #expect(messages.flatMap(\.deliveries).map(\.userId) == items.map(\.userID))
  }

  @Test func `what no message has room for ends as messageTooLarge on each device, and nothing else is lost`() throws {
    let long = String(repeating: "a", count: DispatchMessage.maximumSize)
    var items = try (0..<4).map { number in try routed(number, devices: 2) }
    items[2] = try routed(2, devices: 2) { $0.devices[1].token = long }
    let dispatches = builder.dispatches(items)
    let pushes = dispatches.messages.filter { $0.queue == .push }
    #expect(pushes.flatMap(\.message.deliveries).map(\.userId) == [0, 1, 3].map { items[$0].userID })
    #expect(dispatches.messages.count { $0.queue == .email } == 1)
    #expect(dispatches.outcomes.map(\.target) == items[2].recipient.devices.map { "\($0.id)" })
    for outcome in dispatches.outcomes {
      #expect(outcome.userID == items[2].userID && outcome.notificationID == items[2].id)
      #expect(outcome.outcome == .rejected && outcome.reason == "messageTooLarge" && outcome.channel == .push)
      #expect(outcome.type == 12 && outcome.attempts == 0)
      #expect(outcome.createdAt == Date(timeIntervalSince1970: 1_800_000_000))
    }
  }

  @Test func `what may have been sent before goes apart, marked for a recheck`() throws {
    let items = try (0..<6).map { try routed($0, isNew: $0 % 2 == 0) }
    let messages = builder.dispatches(items, over: push).messages
    #expect(messages.map(\.recheck) == [false, true])
    #expect(messages.map { $0.deliveries.map(\.badge) } == [[2, 4, 6], [3, 5, 7]])
  }

  @Test func `a message carries only the contents it points at`() throws {
    let items = [try routed(1, content: 2), try routed(2, content: 0), try routed(3, content: 2)]
    let push = try #require(builder.dispatches(items, over: push).messages.first)
    #expect(push.contents.map(\.title) == ["C", "A"])
    #expect(push.deliveries.map { push.contents[$0.content].title } == ["C", "A", "C"])
    for (_, message) in builder.realtime(items) {
      #expect(message.contents.count == Set(message.events.map { message.content(of: $0)?.title }).count)
    }
  }

  /// A channel that nothing but this test knows.
  private struct SMSRouting: RoutingChannel {
    let channel = Channel(rawValue: 4)
    let name = "sms"
    let hasQueue = true

    func objection(to recipient: Recipient) -> SkipReason? { nil }

    func targets(of recipient: Recipient) -> [DeliveryTarget] { [DeliveryTarget(id: "+49", address: "+49")] }
  }

  @Test func `each channel with a queue has messages of its own, a new one as well`() throws {
    var plan: RoutingPlan = PerChannel(inApp: .deliver, push: .deliver, email: .skip(.preferenceOff))
    plan[Channel(rawValue: 4)] = .deliver
    let builder = DispatchBuilder(contents: contents, channels: Channel.routing + [SMSRouting()])
    let dispatches = builder.dispatches([try routed(1, plan: plan)])
    #expect(dispatches.messages.map(\.queue.name) == ["belfry.push", "belfry.sms"])
    #expect(dispatches.messages.map { $0.message.deliveries[0].targets.map(\.address) } == [["token-1-0"], ["+49"]])
  }

  @Test func `realtime events are grouped by shard and carry seq and unread count`() throws {
    let items = try (0..<200).map { try routed($0, content: $0 % 3) }
    let messages = builder.realtime(items)
    #expect(Set(messages.map(\.shard)).count == messages.count)
    #expect(messages.map(\.message.events.count).reduce(0, +) == 200)
    for (shard, message) in messages {
      for event in message.events {
        #expect(Shard.of(event.userId) == shard)
        let item = try #require(items.first { $0.userID == event.userId })
        #expect(event.unread == item.unread)
        guard case .notification(item.id, seq: item.seq, _) = event.kind else {
          Issue.record("\(event.kind)")
          continue
        }
        #expect(message.content(of: event)?.title == contents[item.content].title)
      }
    }
  }

  @Test(arguments: [
    (InboxState.deleted, SkipReason.deleted), (.withdrawn, .deleted), (.archived, .read), (.snoozed, .read),
  ])
  func `what was taken out of the inbox is sent nowhere when it comes again`(
    _ left: InboxState,
    _ expected: SkipReason
  ) throws {
    let plan = PerChannel<ChannelDecision>(inApp: .leftInbox(left), push: .deliver, email: .deliver)
    let gone = try routed(1, isNew: false, plan: plan)
    #expect(builder.dispatches([gone]).messages.isEmpty)
    #expect(builder.realtime([gone]).isEmpty)
    #expect(gone.change(on: push)?.to == .skip(expected))
    #expect(gone.change(on: email)?.to == .skip(expected))
    // What never was in the inbox is pushed as ever.
    let other = try routed(
      2,
      isNew: false,
      plan: PerChannel(inApp: .skip(.preferenceOff), push: .deliver, email: .deliver)
    )
    #expect(builder.dispatches([other]).messages.count == 2)
    #expect(other.change(on: push) == nil)
  }
}
