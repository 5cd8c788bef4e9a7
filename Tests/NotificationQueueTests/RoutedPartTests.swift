import Broker
import Foundation
import JSON
import NotificationModel
import NotificationQueue
import Rules
import Testing
import WallClock

@Suite struct RoutedPartTests {
  private let request = RequestID("019a8b7c-6d5e-7f40-8123-456789abcdef")
  private let users = ["00010203-0405-0607-0809-0a0b0c0d0e0f", "fffefdfc-fbfa-f9f8-f7f6-f5f4f3f2f1f0"].compactMap(
    UserID.init
  )

  private func back(_ part: RoutedPart) throws -> RoutedPart {
    try QueueCoder.decode(from: BrokerMessage(body: QueueCoder.encode(part)))
  }

  @Test func `a part comes back as it was, with its keys or without`() throws {
    for key in [nil, "", "conversation 7"] {
      for channels: Set<Channel>? in [nil, [], [.push, Channel(rawValue: 7)]] {
        let part = RoutedPart(
          requestId: try #require(request),
          content: try TestMessage.content("A"),
          channels: channels,
          recipients: users,
          digestKey: key,
          throttleKey: key.map { "\($0)!" },
          owner: key
        )
        let back = try back(part)
        #expect(back.requestId == part.requestId)
        #expect(back.content == part.content)
        #expect(back.channels == channels)
        #expect(back.recipients == users)
        #expect(back.digestKey == key)
        #expect(back.throttleKey == part.throttleKey)
        #expect(back.owner == key)
      }
    }
  }

  @Test func `what was due later, silence and a schedule's date travel, and old routers do not take them`() throws {
    var part = RoutedPart(
      requestId: try #require(request),
      content: try TestMessage.content("A"),
      channels: nil,
      recipients: users
    )
    #expect(part.messageType == RoutedPart.chunkType)
    let instant = Date(timeIntervalSince1970: 1_800_000_000.125)
    part.at = instant
    #expect(try back(part).at == instant)
    #expect(try back(part).id(for: users[0]).time == instant)
    #expect(part.v == 2)
    part.at = nil
    #expect(try back(part).id(for: users[0]) == NotificationID(request: part.requestId, recipient: users[0]))
    part.isSilent = true
    #expect(try back(part).isSilent)
    #expect(part.messageType == RoutedPart.messageType)
    part.isSilent = false
    part.date = LocalDate("2026-11-22")
    #expect(try back(part).date == part.date)
    #expect(part.v == 2)
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
    let part = RoutedPart(requestId: try #require(request), content: content, channels: nil, recipients: users)
    #expect(part.v == 3 && part.messageType == RoutedPart.messageType)
    #expect(try back(part).content == content && content.isTextTooLong && content.title.isEmpty && content.body.isEmpty)
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
        owner: zones == nil ? nil : "shop",
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
    #expect(message.owner == "")
    message.appID = "belfry-gateway"
    #expect(message.owner == nil)
    message.owner = "shop"
    #expect(message.owner == "shop")
    // Anybody else's is worth nothing.
    message.appID = "thief"
    #expect(message.owner == "thief")
  }

  @Test func `a part without keys is the chunk that every version knows`() throws {
    let old = """
      {"v":1,"requestId":"019a8b7c-6d5e-7f40-8123-456789abcdef","content":{"type":12,"typeName":"ChoreApproved","title":"A",\
      "body":"b","data":{},"priority":"high","createdAt":"2027-01-15T08:00:00.000Z",\
      "expiresAt":"2027-01-16T08:00:00.000Z"},"channels":[1,2],"users":["00010203-0405-0607-0809-0a0b0c0d0e0f"]}
      """
    let part: RoutedPart = try QueueCoder.decode(from: BrokerMessage(body: Array(old.utf8), type: "belfry.chunk"))
    #expect(part.requestId == request)
    #expect(part.channels == [.inApp, .push])
    #expect(part.recipients == [users[0]])
    #expect(part.digestKey == nil && part.throttleKey == nil)
    #expect(String(decoding: QueueCoder.encode(part), as: UTF8.self) == old)
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
    let part = RoutedPart(
      requestId: try #require(request),
      content: try TestMessage.content("A"),
      wording: wording,
      channels: nil,
      recipients: users
    )
    let back = try back(part)
    #expect(back.wording == wording)
    #expect(back.content == part.content)
    #expect(back.recipients == users)
    // Whoever does not know the member reads the chunk without it.
    #expect(part.v == 1)
  }

  @Test(
    arguments: [
      "5", "[]", "{}", #"{"data":[]}"#, #"{"data":{"a":5}}"#, #"{"data":{"a":[5]}}"#,
      #"{"data":{"a":[{"value":"1"}]}}"#,
      #"{"data":{"a":[{"value":"1","filters":[1]}]}}"#, #"{"data":{},"title":1}"#,
    ]
  )
  func `words of another form are refused`(_ json: String) throws {
    let part = RoutedPart(
      requestId: try #require(request),
      content: try TestMessage.content("A"),
      wording: Wording(data: [:] as [String: RuleText]),
      channels: nil,
      recipients: users
    )
    let body = String(decoding: QueueCoder.encode(part), as: UTF8.self)
    let changed = body.replacing(#""wording":{"data":{}}"#, with: #""wording":"# + json)
    #expect(changed != body)
    #expect(throws: QueueMessageError.self) {
      try QueueCoder.decode(RoutedPart.self, from: BrokerMessage(body: Array(changed.utf8)))
    }
  }
}
