import ConsoleCommands
import Foundation
import JSON
import WallClock

/// Something that the demo's backend can send, by a button or by `belfry-dev demo send`.
struct DemoSend: Sendable {
  let name: String
  let label: String
  /// To whom and how, for people.
  let words: String
  let to: [DemoFamily.Member]
  /// How many requests go out in one call.
  var count = 1
  /// Of several requests: from the first, which is due at once, to the last.
  var spread = Duration.zero
  private let make: @Sendable () -> GatewaySendRequest

  /// What is sent now: some of it is new each time.
  func requests(at now: Date) -> [GatewaySendRequest] {
    (0..<count).map { number in
      var request = make()
      if spread > .zero {
        let wait = spread / .seconds(1) * Double(number) / Double(count - 1)
        request.sendAt = now.addingTimeInterval(wait).rfc3339
      }
      return request
    }
  }

  /// Of the catalogue.
  var type: String { make().type }

  static func named(_ name: String) -> DemoSend? { all.first { $0.name == name } }

  static let all = [allowance, chat, goal, urgent, reminder, burst]

  private static let maria = DemoFamily.maria
  private static let tom = DemoFamily.tom
  private static let ella = DemoFamily.ella

  static let allowance = DemoSend(
    name: "allowance",
    label: "Weekly allowance",
    words: "To the whole family, who chose all three channels for it: bell, phone and mail.",
    to: DemoFamily.members
  ) {
    GatewaySendRequest(
      to: .init(group: DemoFamily.group),
      type: DemoFamily.type,
      // Another one each time: two alike would look like one that came twice.
      data: ["amount": "$5.00", "balance": "$\(Int.random(in: 20...99)).00"]
    )
  }

  private static let chat = DemoSend(
    name: "chat",
    label: "Message from Tom",
    words: "Tom writes to \(DemoConversation.name): whoever has it on the screen gets no push.",
    to: [maria, ella]
  ) {
    GatewaySendRequest(
      to: .init(group: DemoFamily.group, except: [tom.id]),
      type: "NewMessage",
      data: [
        "conversationId": DemoConversation.id, "messageId": UUID().uuidString.lowercased(), "senderId": tom.id,
        "senderName": tom.name, "isGroupChat": "true", "groupName": DemoConversation.name,
        "text": "Shall we go to the lake on Saturday?",
      ],
      entity: (type: DemoConversation.type, id: DemoConversation.id)
    )
  }

  private static let goal = DemoSend(
    name: "goal",
    label: "Half way to a bike",
    words: "To Ella, with a button to tap.",
    to: [ella]
  ) {
    GatewaySendRequest(
      to: .init(users: [ella.id]),
      type: "GoalMilestone",
      data: ["percent": "50", "goalName": "New bike"]
    )
  }

  private static let urgent = DemoSend(
    name: "urgent",
    label: "Alert by Tom",
    words: "To Maria and Ella; of a type that passes quiet hours.",
    to: [maria, ella]
  ) {
    GatewaySendRequest(
      to: .init(group: DemoFamily.group, except: [tom.id]),
      type: "AlertTriggered",
      data: ["userName": tom.name]
    )
  }

  private static let reminder = DemoSend(
    name: "reminder",
    label: "Reminder for Maria",
    words: "To Maria; at night her phone gets it in the morning.",
    to: [maria]
  ) {
    GatewaySendRequest(
      to: .init(users: [maria.id]),
      type: "TaskReminder",
      data: ["taskName": "Water the plants", "dueDate": "tomorrow"]
    )
  }

  static let burst = DemoSend(
    name: "burst",
    label: "60 in five seconds",
    words: "20 gifts for each of the family in one call, due one after the other: break something meanwhile.",
    to: DemoFamily.members,
    count: 20,
    spread: .seconds(5)
  ) {
    GatewaySendRequest(
      to: .init(group: DemoFamily.group),
      type: "GiftReceived",
      data: ["giverName": "Grandma", "amount": "$\(Int.random(in: 1...50)).00"]
    )
  }

  private init(
    name: String,
    label: String,
    words: String,
    to: [DemoFamily.Member],
    count: Int = 1,
    spread: Duration = .zero,
    make: @escaping @Sendable () -> GatewaySendRequest
  ) {
    self.name = name
    self.label = label
    self.words = words
    self.to = to
    self.count = count
    self.spread = spread
    self.make = make
  }

  // MARK: JSON

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("name", name)
      writer.field("label", label)
      writer.field("words", words)
      writer.field("command", "belfry-dev demo send \(name)")
      writer.field("type", type)
      writer.field("count", count)
      writer.strings("to", to.map(\.id))
    }
  }
}

/// What the family's chat messages are about.
enum DemoConversation {
  static let type = "Conversation"
  static let id = "4f9c1c1e-00c0-4000-8000-000000000001"
  static let name = "Weekend plans"
}
