import Broker
import Foundation
import BelfryJSON
import NotificationModel
import NotificationQueue
import Testing

@Suite struct QueueCoderTests {
  private func message(_ json: String, type: String? = "belfry.chunk") -> BrokerMessage {
    BrokerMessage(body: Array(json.utf8), type: type)
  }

  private func failure(_ json: String, type: String? = "belfry.chunk") -> String? {
    do {
      _ = try QueueCoder.decode(RoutingOrder.self, from: message(json, type: type))
      return nil
    } catch {
      return error.description
    }
  }

  @Test func `a dispatch message comes back as it was`() throws {
    let dispatch = try TestMessage.dispatch()
    let body = QueueCoder.encode(dispatch)
    let back = try QueueCoder.decode(DispatchMessage.self, from: BrokerMessage(body: body))
    #expect(back.v == 1)
    #expect(back.attempt == 2)
    #expect(back.failingSince == dispatch.failingSince)
    #expect(back.recheck)
    #expect(back.contents == dispatch.contents)
    #expect(back.deliveries.map(\.notificationId) == dispatch.deliveries.map(\.notificationId))
    #expect(back.deliveries.map { $0.targets.map(\.address) } == [["token-0"], ["token-1"], ["token-2"]])
    #expect(back.isConsistent)
  }

  @Test func `what Android apps get of a later version's type is a notification`() throws {
    var dispatch = try TestMessage.dispatch()
    dispatch.contents[0].android = .data
    let text = String(decoding: QueueCoder.encode(dispatch), as: UTF8.self)
    let later = text.replacing(#""android":"data""#, with: #""android":"hologram""#)
    #expect(later != text)
    let back: DispatchMessage = try QueueCoder.decode(from: BrokerMessage(body: Array(later.utf8)))
    #expect(back.contents[0].android == .notification)
  }

  @Test func `every field of every message survives the way, whether it is there or not`() throws {
    var dispatch = try TestMessage.dispatch()
    dispatch.contents[0].relatedEntityType = "Chore \"x\""
    dispatch.contents[0].collapseKey = "key"
    dispatch.contents[1].relatedEntityId = nil
    dispatch.contents[1].data = ["a\nb": "é👋\\", "": "", "n": "1.50"]
    dispatch.contents[1].literals = ["n"]
    dispatch.contents[2].priority = .normal
    dispatch.contents[2].android = .data
    dispatch.contents[2].analyticsLabel = "allowance-1"
    dispatch.contents[1].listing = NotificationContent.Listing((1...22).map { (title: "\($0) \"<\n", body: "b") })
    dispatch.deliveries[0].targets = [
      .init(id: "i", address: "a"),
      .init(id: "j", address: "b", platform: 3, name: "Zoë", locale: "de-AT", zone: "Europe/Vienna"),
      .init(id: "k", address: "c", platform: 13, credentials: SubscriptionKeys(p256dh: "p-\"", auth: "a_")),
    ]
    dispatch.deliveries[1].targets = []
    dispatch.deliveries[1].hasSound = false
    dispatch.deliveries[2].hasBadge = false
    dispatch.failingSince = nil
    dispatch.notBefore = Date(timeIntervalSince1970: 1_800_036_000)
    let back: DispatchMessage = try QueueCoder.decode(from: BrokerMessage(body: QueueCoder.encode(dispatch)))
    #expect(back.contents == dispatch.contents)
    #expect(back.failingSince == nil)
    #expect(back.notBefore == dispatch.notBefore)
    #expect(back.deliveries.map(\.userId) == dispatch.deliveries.map(\.userId))
    #expect(back.deliveries.map(\.content) == [0, 1, 2])
    #expect(back.deliveries.map(\.badge) == [0, 1, 2])
    #expect(back.deliveries.map(\.hasSound) == [true, false, true])
    #expect(back.deliveries.map(\.hasBadge) == [true, true, false])
    #expect(back.deliveries.map { $0.targets.map(\.id) } == [["i", "j", "k"], [], ["device-2"]])
    #expect(back.deliveries.map { $0.targets.map(\.platform) } == [[nil, 3, 13], [], [2]])
    #expect(back.deliveries.map { $0.targets.map(\.name) } == [[nil, "Zoë", nil], [], [nil]])
    #expect(back.deliveries.map { $0.targets.map(\.locale) } == [[nil, "de-AT", nil], [], [nil]])
    #expect(back.deliveries.map { $0.targets.map(\.zone) } == [[nil, "Europe/Vienna", nil], [], [nil]])
    #expect(
      back.deliveries.map { $0.targets.map(\.credentials) } == [
        [nil, nil, SubscriptionKeys(p256dh: "p-\"", auth: "a_")], [], [nil],
      ]
    )
    let event = RealtimeMessage.Event(
      .notification(dispatch.deliveries[0].notificationId, seq: 7, content: 0),
      userId: try TestMessage.user(),
      unread: 3
    )
    let realtime = RealtimeMessage(contents: [dispatch.contents[1]], events: [event])
    let decoded: RealtimeMessage = try QueueCoder.decode(from: BrokerMessage(body: QueueCoder.encode(realtime)))
    #expect(decoded.contents == realtime.contents)
    #expect(decoded.events.map(\.kind) == [event.kind])
    #expect(decoded.events.map(\.userId) == [event.userId])
    #expect(decoded.events.map(\.unread) == [3])
  }

  @Test func `a body is JSON that people can read, with RFC 3339 times and plain slashes`() throws {
    var dispatch = try TestMessage.dispatch()
    dispatch.contents[0].title = "a/b"
    let text = String(decoding: QueueCoder.encode(dispatch), as: UTF8.self)
    #expect(text.contains(#""failingSince":"2027-01-15T08:00:00.125Z""#))
    #expect(text.contains(#""title":"a/b""#))
    #expect(text.contains(#""v":1"#))
    // What nobody has takes no room.
    #expect(!text.contains("credentials") && !text.contains("notBefore"))
  }

  @Test func `a realtime message comes back as it was`() throws {
    let user = try TestMessage.user()
    let realtime = RealtimeMessage(contents: [], events: [.init(.unread, userId: user, unread: 2)])
    let back: RealtimeMessage = try QueueCoder.decode(from: BrokerMessage(body: QueueCoder.encode(realtime)))
    #expect(back.events.map(\.kind) == [.unread])
    #expect(back.events.map(\.unread) == [2])
  }

  @Test func `a relayed event comes back as it was, with its numbers as they were written`() throws {
    let payload = try JSONParser.parse(
      Array(#"{"a":1.50,"é\n":[null,true,{"b":"\"x\""}],"big":123456789012345678901}"#.utf8)
    )
    let user = try TestMessage.user()
    let message = RealtimeMessage(
      relays: [
        .init(
          name: "BalanceUpdated",
          payload: payload,
          arguments: ["a", "big"],
          amounts: ["big"],
          userIds: [user, user]
        ),
        .init(name: "GoalReached", payload: .object([]), arguments: [], userIds: []),
      ]
    )
    let body = QueueCoder.encode(message)
    #expect(String(decoding: body, as: UTF8.self).contains(#""payload":{"a":1.50,"é\u000a":[null,true"#))
    let back: RealtimeMessage = try QueueCoder.decode(from: BrokerMessage(body: body))
    #expect(back.events.isEmpty)
    #expect(back.relays.map(\.name) == ["BalanceUpdated", "GoalReached"])
    #expect(back.relays.map(\.arguments) == [["a", "big"], []])
    #expect(back.relays.map(\.amounts) == [["big"], []])
    #expect(back.relays.map(\.userIds) == [[user, user], []])
    #expect(back.relays[0].payload["a"] == .number("1.50"))
    #expect(back.relays[0].payload["big"] == .number("123456789012345678901"))
    #expect(QueueCoder.encode(back) == body)
  }

  @Test func `users of a relayed event are 16 bytes each, in base64`() throws {
    let users = ["00010203-0405-0607-0809-0a0b0c0d0e0f", "fffefdfc-fbfa-f9f8-f7f6-f5f4f3f2f1f0"].compactMap(UserID.init)
    let message = RealtimeMessage(
      relays: [.init(name: "GoalReached", payload: .object([]), arguments: [], userIds: users)]
    )
    let text = String(decoding: QueueCoder.encode(message), as: UTF8.self)
    #expect(text.contains(#""users":"AAECAwQFBgcICQoLDA0OD//+/fz7+vn49/b19PPy8fA=""#))
  }

  @Test func `a realtime message of an older router has no relayed events, and one without them looks like it`() throws
  {
    let text = #"{"v":1,"contents":[],"events":[]}"#
    let old: RealtimeMessage = try QueueCoder.decode(from: message(text))
    #expect(old.relays.isEmpty)
    #expect(String(decoding: QueueCoder.encode(old), as: UTF8.self) == text)
  }

  @Test(arguments: [
    (#"{"name":"A","payload":[],"users":""}"#, "expected an object at relays[0].payload"),
    (#"{"name":"A","users":""}"#, "expected an object at relays[0].payload"),
    (#"{"name":"A","payload":{}}"#, "'users' is missing at relays[0]"),
    (#"{"name":"A","payload":{},"arguments":[1],"users":""}"#, "expected a string at relays[0].arguments[0]"),
    (#"{"name":"A","payload":{},"users":[]}"#, "expected a string at relays[0].users"),
    (#"{"name":"A","payload":{},"users":"ä"}"#, "expected base64 of 16 bytes for each user at relays[0].users"),
    (#"{"name":"A","payload":{},"users":"AAAA"}"#, "expected base64 of 16 bytes for each user at relays[0].users"),
    ("1", "expected an object at relays[0]"),
  ])
  func `a relayed event that is none is reported with its place`(_ relay: String, _ reason: String) {
    let text = #"{"v":1,"contents":[],"events":[],"relays":[\#(relay)]}"#
    let error = #expect(throws: QueueMessageError.self) {
      try QueueCoder.decode(RealtimeMessage.self, from: message(text, type: "belfry.realtime"))
    }
    #expect(error?.description == "undecodable belfry.realtime: \(reason)")
  }

  @Test func `another version is refused, not guessed at`() {
    #expect(failure(#"{"v":4}"#) == "version 4 is not 3")
    #expect(failure(#"{"v":0,"users":[]}"#) == "version 0 is not 3")
    #expect(throws: QueueMessageError("version 2 is not 1", isNewer: true)) {
      try QueueCoder.decode(RealtimeMessage.self, from: message(#"{"v":2}"#))
    }
  }

  @Test func `what cannot be decoded is reported with its place and without any value`() {
    #expect(failure("{}") == "undecodable belfry.chunk: 'v' is missing")
    #expect(failure("secret") == "undecodable belfry.chunk: malformed JSON")
    #expect(failure("", type: nil) == "undecodable message: malformed JSON")
    #expect(failure(#"{"v":"secret"}"#) == "undecodable belfry.chunk: expected a whole number at v")
    #expect(failure(#"{"v":1}"#) == "undecodable belfry.chunk: 'requestId' is missing")
    #expect(failure("[1]") == "undecodable belfry.chunk: expected an object")
  }

  @Test func `a place within a list is reported with its index`() throws {
    let json = """
      {"v":1,"attempt":0,"recheck":false,"contents":[],
       "deliveries":[{"notificationId":"secret","userId":"x","content":0,"badge":0,"targets":[]}]}
      """
    #expect {
      try QueueCoder.decode(DispatchMessage.self, from: message(json, type: "belfry.push"))
    } throws: { error in
      let text = String(describing: error)
      return text == "undecodable belfry.push: expected a UUID at deliveries[0].notificationId"
    }
  }

  @Test func `a time that is none is refused`() throws {
    let text = String(decoding: QueueCoder.encode(try TestMessage.dispatch()), as: UTF8.self)
    let broken = text.replacing("2027-01-15T08:00:00.125Z", with: "yesterday")
    #expect(throws: QueueMessageError.self) { try QueueCoder.decode(DispatchMessage.self, from: message(broken)) }
  }

  @Test func `an index that points nowhere is noticed`() throws {
    var dispatch = try TestMessage.dispatch()
    dispatch.deliveries[1].content = 3
    #expect(!dispatch.isConsistent)
    dispatch.deliveries[1].content = -1
    #expect(!dispatch.isConsistent)
  }

  @Test func `what is kept takes its contents along and leaves the others`() throws {
    let whole = try TestMessage.dispatch()
    let kept = whole.keeping(
      [whole.deliveries[2], whole.deliveries[0], whole.deliveries[2]],
      attempt: 3,
      failingSince: nil,
      recheck: true
    )
    #expect(kept.contents.map(\.title) == ["C", "A"])
    #expect(kept.deliveries.map(\.content) == [0, 1, 0])
    #expect(kept.deliveries.map { kept.contents[$0.content].title } == ["C", "A", "C"])
    #expect(kept.attempt == 3)
    #expect(kept.failingSince == nil)
    #expect(kept.recheck)
    #expect(kept.isConsistent)
  }
}
