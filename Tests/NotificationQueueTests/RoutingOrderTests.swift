import Broker
import Foundation
import BelfryJSON
import NotificationModel
import NotificationQueue
import Rules
import Testing
import WallClock

@Suite struct RoutingOrderTests {
  private let request = RequestID("019a8b7c-6d5e-7f40-8123-456789abcdef")
  private let users = ["00010203-0405-0607-0809-0a0b0c0d0e0f", "fffefdfc-fbfa-f9f8-f7f6-f5f4f3f2f1f0"].compactMap(
    UserID.init
  )

  private func back(_ order: RoutingOrder) throws -> RoutingOrder {
    try QueueCoder.decode(from: BrokerMessage(body: QueueCoder.encode(order)))
  }

  @Test func `a part comes back as it was, with its keys or without`() throws {
    for key in [nil, "", "conversation 7"] {
      for channels: Set<Channel>? in [nil, [], [.push, Channel(rawValue: 7)]] {
        let order = RoutingOrder(
          requestId: try #require(request),
          content: try TestMessage.content("A"),
          channels: channels,
          recipients: users,
          digestKey: key,
          throttleKey: key.map { "\($0)!" },
          owner: RequestOwner(key)
        )
        let back = try back(order)
        #expect(back.requestId == order.requestId)
        #expect(back.content == order.content)
        #expect(back.channels == channels)
        #expect(back.recipients == users)
        #expect(back.digestKey == key)
        #expect(back.throttleKey == order.throttleKey)
        #expect(back.owner == order.owner)
      }
    }
  }

  @Test func `what was due later, silence and a schedule's date travel, and old routers do not take them`() throws {
    var order = RoutingOrder(
      requestId: try #require(request),
      content: try TestMessage.content("A"),
      channels: nil,
      recipients: users
    )
    #expect(order.messageType == RoutingOrder.chunkType)
    let instant = Date(timeIntervalSince1970: 1_800_000_000.125)
    order.at = instant
    #expect(try back(order).at == instant)
    #expect(try back(order).id(for: users[0]).time == instant)
    #expect(order.v == 2)
    order.at = nil
    #expect(try back(order).id(for: users[0]) == NotificationID(request: order.requestId, recipient: users[0]))
    order.isSilent = true
    #expect(try back(order).isSilent)
    #expect(order.messageType == RoutingOrder.messageType)
    order.isSilent = false
    order.date = LocalDate("2026-11-22")
    #expect(try back(order).date == order.date)
    #expect(order.v == 2)
  }

  @Test func `texts that are too long are marked, and old routers do not take a notification without words`() throws {
    let type = try #require(try Catalogue().type(.code(10)))
    let content = NotificationContent(
      type: type,
      text: type.template.render(title: String(repeating: "a", count: 201), body: "B", data: [:]),
      data: [:],
      relatedEntityType: nil,
      relatedEntityId: nil,
      collapseKey: nil,
      createdAt: Date(timeIntervalSince1970: 1_800_000_000),
      expiresAt: Date(timeIntervalSince1970: 1_800_086_400)
    )
    let order = RoutingOrder(requestId: try #require(request), content: content, channels: nil, recipients: users)
    #expect(order.v == 3 && order.messageType == RoutingOrder.messageType)
    #expect(
      try back(order).content == content && content.isTextTooLong && content.title.isEmpty && content.body.isEmpty
    )
  }

  @Test func `a send that has come due comes back as it was`() throws {
    let request = try JSONParser.parse(Array(#"{"to":{"group":"g"},"type":12,"data":{"n":1.50}}"#.utf8))
    for zones in [nil, [], ["", "Europe/Berlin"]] {
      let send = ScheduledSend(
        requestId: RequestID(now: .now),
        at: Date(timeIntervalSince1970: 1_800_000_000.125),
        date: zones == nil ? nil : LocalDate("2026-11-22"),
        facts: zones == nil ? [:] : ["date": "2026-11-22", "days": "0"],
        zones: zones,
        owner: zones == nil ? .unknown : .named("shop"),
        request: request
      )
      let back: ScheduledSend = try QueueCoder.decode(from: BrokerMessage(body: QueueCoder.encode(send)))
      #expect(back.requestId == send.requestId)
      #expect(back.at == send.at)
      #expect(back.facts == send.facts)
      #expect(back.zones == zones)
      #expect(back.owner == send.owner)
      #expect(JSONWriter.text(back.request) == JSONWriter.text(request))
      #expect(back.date == (zones == nil ? nil : LocalDate("2026-11-22")))
    }
  }

  @Test func `a message is its app-id's, unless a gateway says whose`() {
    var message = BrokerMessage(body: [])
    #expect(message.owner == .anybody)
    message.appID = "belfry-gateway"
    #expect(message.owner == .unknown)
    message.owner = .named("shop")
    #expect(message.owner == .named("shop"))
    // Anybody else's is worth nothing.
    message.appID = "thief"
    #expect(message.owner == .named("thief"))
  }

  @Test func `a part without keys is the chunk that every version knows`() throws {
    let old = """
      {"v":1,"requestId":"019a8b7c-6d5e-7f40-8123-456789abcdef","content":{"type":12,"typeName":"ChoreApproved","title":"A",\
      "body":"b","data":{},"priority":"high","createdAt":"2027-01-15T08:00:00.000Z",\
      "expiresAt":"2027-01-16T08:00:00.000Z"},"channels":[1,2],"users":["00010203-0405-0607-0809-0a0b0c0d0e0f"]}
      """
    let order: RoutingOrder = try QueueCoder.decode(from: BrokerMessage(body: Array(old.utf8), type: "belfry.chunk"))
    #expect(order.requestId == request)
    #expect(order.channels == [.inApp, .push])
    #expect(order.recipients == [users[0]])
    #expect(order.digestKey == nil && order.throttleKey == nil)
    #expect(String(decoding: QueueCoder.encode(order), as: UTF8.self) == old)
  }

  @Test func `a part keeps the words that wait for each reader`() throws {
    let balance = RuleText([
      .text("now "), .formatted("12.5", [RuleText.Filter("money", argument: "EUR"), RuleText.Filter("number")]),
    ])
    let wording = Wording(
      title: "Title",
      data: ["balance": balance, "name": RuleText("\"Ann\"")],
      own: OwnTemplates(title: "{{balance|money}}")
    )
    let order = RoutingOrder(
      requestId: try #require(request),
      content: try TestMessage.content("A"),
      wording: wording,
      channels: nil,
      recipients: users
    )
    let back = try back(order)
    #expect(back.wording == wording)
    #expect(back.content == order.content)
    #expect(back.recipients == users)
    // Whoever does not know the member reads the chunk without it.
    #expect(order.v == 1)
  }

  @Test(
    arguments: [
      "5", "[]", "{}", #"{"data":[]}"#, #"{"data":{"a":5}}"#, #"{"data":{"a":[5]}}"#,
      #"{"data":{"a":[{"value":"1"}]}}"#,
      #"{"data":{"a":[{"value":"1","filters":[1]}]}}"#, #"{"data":{},"title":1}"#,
    ]
  )
  func `words of another form are refused`(_ json: String) throws {
    let order = RoutingOrder(
      requestId: try #require(request),
      content: try TestMessage.content("A"),
      wording: Wording(data: [:] as [String: RuleText]),
      channels: nil,
      recipients: users
    )
    let body = String(decoding: QueueCoder.encode(order), as: UTF8.self)
    let changed = body.replacing(#""wording":{"data":{}}"#, with: #""wording":"# + json)
    #expect(changed != body)
    #expect(throws: QueueMessageError.self) {
      try QueueCoder.decode(RoutingOrder.self, from: BrokerMessage(body: Array(changed.utf8)))
    }
  }
}
