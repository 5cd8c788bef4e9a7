import Foundation
import BelfryJSON
import NotificationModel
import NotificationQueue
import NotificationStore
import Postgres
import SignalRProtocol
import Testing
import WallClock

@testable import InAppDispatcher

/// A notification is the same to its recipient, whichever way it comes.
@Suite struct ParityTests {
  private static let members: Set = [
    "id", "seq", "type", "typeName", "category", "actions", "title", "body", "data", "isRead", "readAt", "createdAt",
    "relatedEntityType", "relatedEntityId", "timeAgo", "seenAt", "openedAt", "archivedAt", "snoozedUntil", "priority",
    "dataObject",
  ]

  /// What a client meets, by the way it came.
  private typealias Meetings = [(way: String, notification: HubValue)]

  @Test(arguments: [true, false])
  func `a notification has the same members and values over REST and the hub, live, resumed and streamed`(
    isFull: Bool
  ) async throws {
    try await TestMethods.run { test in
      let anna = UserID.random()
      let content = try TestMethods.content(
        title: #"Ünïcode "title""#,
        body: "Two\nlines \u{1F600}",
        data: isFull ? ["amount": "$10.00", "b": "2", "note": "a\nb \\ \"c\"", "n": "-4.25", "on": "true"] : [:],
        literals: ["n", "on"],
        related: isFull ? ("Transaction", "t-1") : nil
      )
      let met = try await live(content, anna, test) + later(anna, test)
      #expect(met.count == 9)
      for (way, notification) in met {
        #expect(notification == met[0].notification, "\(way)")
        guard case .object(let members) = notification else { throw TestConnection.Unexpected(what: way) }
        #expect(members.count == Self.members.count)
        #expect(Set(members.map(\.name)) == Self.members)
        #expect(notification["seq"] == .integer(1))
        #expect((notification["data"] != nil) == isFull)
        #expect((notification["dataObject"] != nil) == isFull)
        if isFull {
          #expect(notification["dataObject"]?["b"] == .string("2"), "\(way)")
          #expect(notification["dataObject"]?["n"] == .double(-4.25), "\(way)")
          #expect(notification["dataObject"]?["on"] == .bool(true), "\(way)")
        }
        #expect((notification["relatedEntityId"] != nil) == isFull)
        #expect(notification["timeAgo"] == .string("Just now"))
        #expect(notification["category"] == .string("Allowance"))
        #expect(notification["actions"] == .array([]))
      }
    }
  }

  @Test func `buttons are in the recipient's language, whichever way they come`() async throws {
    let catalogue = try Catalogue(
      overrides: """
        version: 1
        defaults: { channels: { inApp: true }, priority: normal, timeToLiveDays: 1, title: T, body: B }
        types:
        - code: 900
          name: Offer
          category: Shop
          actions: [{ id: VIEW, title: { en: View, de: Ansehen } }, { id: LATER, title: Later }]
        """
    )
    let type = try #require(catalogue.type(.code(900)))
    try await TestMethods.run(catalogue: catalogue) { test in
      let anna = UserID.random()
      let profile = UserStore.Profile(email: nil, displayName: nil, locale: "de-AT", timezone: nil, isEnabled: true)
      _ = try await UserStore(client: test.database).put(profile, of: anna)
      let plain = NotificationContent(
        type: type,
        text: .init(title: "T", body: "B"),
        data: [:],
        relatedEntityType: nil,
        relatedEntityId: nil,
        collapseKey: nil,
        createdAt: .now,
        expiresAt: .now + 60
      )
      // As the router words it.
      let worded = try #require(
        plain.worded(Wording(data: [:] as [String: String]), as: type, for: .init(locale: "de-AT"))
      )
      let met = try await live(worded, anna, test) + later(anna, test)
      for (way, notification) in met {
        #expect(notification["category"] == .string("Shop"), "\(way)")
        let actions = notification["actions"]?.elements.map { [$0["id"]?.stringValue, $0["title"]?.stringValue] }
        #expect(actions == [["VIEW", "Ansehen"], ["LATER", "Later"]], "\(way)")
      }
      #expect(met.count == 9)
    }
  }

  @Test func `once read it is the same over REST and Resume`() async throws {
    try await TestMethods.run { test in
      let anna = UserID.random()
      try await test.store(1, for: anna)
      let id = try await test.ids(of: anna)[0]
      _ = try await InboxStore(client: test.database).apply(.read, to: [id], of: anna, at: .now)
      let met = try await later(anna, test)
      for (way, notification) in met {
        #expect(notification == met[0].notification, "\(way)")
        #expect(notification["isRead"] == .bool(true))
        #expect(notification["readAt"]?.stringValue != nil)
      }
    }
  }

  @Test(arguments: HubProtocol.allCases)
  func `what is sent of a change is what REST and Resume answer`(hubProtocol: HubProtocol) async throws {
    try await TestMethods.run { test in
      let anna = UserID.random()
      let content = try TestMethods.content(data: ["amount": "$10.00"], related: ("Transaction", "t-1"))
      _ = try await test.store([content], for: anna)
      let id = try await test.ids(of: anna)[0]
      let time = Date(timeIntervalSince1970: 1_800_000_000.25)
      _ = try await test.database.query(
        """
        UPDATE notifications SET read_at = \(time), seen_at = \(time + 1), opened_at = \(time + 2),
          archived_at = \(time + 3), snoozed_until = \(time + 4)
        WHERE user_id = \(anna) AND id = \(id)
        """
      )
      let item = try #require(try await InboxStore(client: test.database).item(id, of: anna))
      let client = try await test.hub.connect(anna, as: hubProtocol)
      try await test.hub.server.deliver([
        RealtimeMessage(
          contents: [item.content(test.catalogue, locale: nil)],
          changes: [.init(userId: anna, state: .changed(item.own, content: 0))]
        )
      ])
      guard case .invocation(nil, "NotificationChanged", let arguments, _) = try await client.message(as: hubProtocol)
      else { throw TestConnection.Unexpected(what: "no change") }
      let sent = try #require(arguments.first)
      for (index, name) in ["readAt", "seenAt", "openedAt", "archivedAt", "snoozedUntil"].enumerated() {
        #expect(sent[name]?.stringValue == (time + Double(index)).rfc3339)
      }
      #expect(sent["priority"] == .string("high"))
      for (way, notification) in try await later(anna, test) { #expect(notification == sent, "\(way)") }
    }
  }

  @Test func `data is one text everywhere, number for number`() async throws {
    let numbers = [
      "1", "1.0", "1e3", "1E+3", "0.1", "-0", "-0.0", "1.10", "12345678901234567890", "-9223372036854775809",
      "0.1000000000000000055511151231257827021181583404541015625",
      "3.14159265358979323846264338327950288419716939937510",
      "1e999",
    ]
    let sent =
      numbers.enumerated().map { #""n\#($0)": \#($1)"# } + [
        #""longer than the others": true"#, #""z": "\u00fc\n\"quoted\" \\ / \ud83d\ude00 <>&""#, #""a": """#,
      ]
    let body =
      #"{"to": {"users": ["4f9c1c1e-0001-4000-8000-000000000001"]}, "type": 10, "data": {"#
      + sent.joined(separator: ", ") + "}}"
    let request = try FieldReader.read(SendRequest.self, from: Array(body.utf8))
    try await TestMethods.run { test in
      let anna = UserID.random()
      let met =
        try await live(try TestMethods.content(data: request.data, literals: request.literals), anna, test)
        + later(anna, test)
      for (way, notification) in met {
        #expect(notification["data"] == met[0].notification["data"], "\(way)")
        let object = try #require(notification["dataObject"])
        #expect(object["n0"] == .integer(1), "\(way)")
        #expect(object["n4"] == .double(0.1), "\(way)")
        #expect(object["longer than the others"] == .bool(true), "\(way)")
        // What would come back from the database otherwise stays a text.
        for (index, number) in numbers.enumerated()
        where number.contains(where: { "eE".contains($0) }) || Double(number) == 0 {
          #expect(object["n\(index)"] == .string(number), "\(way)")
        }
      }
      let text = try #require(met[0].notification["data"]?.stringValue)
      let data = try JSONParser.parse(Array(text.utf8))
      for (index, number) in numbers.enumerated() { #expect(data["n\(index)"]?.string == number) }
    }
  }

  // MARK: Ways

  /// To connected clients of both protocols and each transport.
  private func live(_ content: NotificationContent, _ user: UserID, _ test: TestMethods) async throws -> Meetings {
    var sockets: [(HubProtocol, TestConnection)] = []
    for hubProtocol in HubProtocol.allCases {
      sockets.append((hubProtocol, try await test.hub.connect(user, as: hubProtocol)))
    }
    let stream = try await TestEventStream.open(test.hub, user)
    try await test.hub.server.deliver([try await test.store([content], for: user)])
    var met: Meetings = []
    for (hubProtocol, socket) in sockets {
      met.append(("live \(hubProtocol)", try argument(try await socket.message(as: hubProtocol))))
      #expect(try await socket.message(as: hubProtocol).unreadCount == 1)
    }
    let event = try await stream.events.event()
    let message = try #require(try HubProtocol.json.messages(in: Array("\(event)\u{1E}".utf8)).first)
    met.append(("live event stream", try argument(message)))
    return met
  }

  /// To whom asks: REST's list, changes and single notification; `Resume`, as a result and as messages.
  private func later(_ user: UserID, _ test: TestMethods) async throws -> Meetings {
    var met: Meetings = []
    for path in ["notifications", "notifications/changes?since=0"] {
      let answer = try await TestGateway.get("/api/v1/\(path)", by: user, on: test.database, catalogue: test.catalogue)
      met.append((path, HubValue(try #require(answer["notifications"]?.array?.first))))
    }
    let id = try await test.ids(of: user)[0]
    let one = try await TestGateway.get(
      "/api/v1/notifications/\(id)",
      by: user,
      on: test.database,
      catalogue: test.catalogue
    )
    met.append(("one", HubValue(one)))
    for hubProtocol in HubProtocol.allCases {
      let client = try await test.hub.connect(user, as: hubProtocol)
      try await client.send(.resume("r", after: 0), as: hubProtocol)
      guard case .completion("r", .value(.array(let items))) = try await client.message(as: hubProtocol) else {
        throw TestConnection.Unexpected(what: "no result")
      }
      met.append(("Resume \(hubProtocol)", try #require(items.first)))
    }
    let streaming = try await test.hub.connect(user, as: .messagePack)
    try await streaming.send(
      .streamInvocation(id: "s", target: "Resume", arguments: [.integer(0)]),
      as: .messagePack
    )
    guard case .streamItem("s", let item) = try await streaming.message(as: .messagePack) else {
      throw TestConnection.Unexpected(what: "no item")
    }
    met.append(("Resume as a stream", item))
    return met
  }

  private func argument(_ message: HubMessage) throws -> HubValue {
    guard case .invocation(nil, "ReceiveNotification", let arguments, _) = message, arguments.count == 1 else {
      throw TestConnection.Unexpected(what: "\(message)")
    }
    return arguments[0]
  }
}

extension HubValue {
  /// Of a list; none of anything else.
  fileprivate var elements: [HubValue] {
    if case .array(let elements) = self { elements } else { [] }
  }
}
