import ConsoleCommands
import Foundation
import NotificationModel
import Synchronization

/// Three users of a pocket money app: the demo's people while the catalogue is the built-in one.
enum DemoFamily {
  static let maria = DemoPerson(
    id: "4f9c1c1e-0001-4000-8000-000000000001",
    name: "Maria",
    email: "maria@example.com",
    deviceToken: "demo-device-maria",
    platform: 1
  )
  static let tom = DemoPerson(
    id: "4f9c1c1e-0002-4000-8000-000000000002",
    name: "Tom",
    email: "tom@example.com",
    deviceToken: "demo-device-tom",
    platform: 2
  )
  static let ella = DemoPerson(
    id: "4f9c1c1e-0003-4000-8000-000000000003",
    name: "Ella",
    email: "ella@example.com",
    deviceToken: "demo-device-ella",
    platform: 3
  )

  static let people = [maria, tom, ella]
  static let group = "family:demo"
  static let type = "AllowanceDeposit"
  static let conversation = DemoConversation(
    type: "Conversation",
    id: "4f9c1c1e-00c0-4000-8000-000000000001",
    name: "Weekend plans"
  )

  static func story(_ catalogue: Catalogue) -> DemoStory {
    DemoStory(
      catalogue,
      app: "Pocket Money",
      lead: "Maria, Tom and Ella are a family with a pocket money app. You are the app’s backend.",
      people: people,
      group: group,
      sends: sends,
      first: allowance,
      choosesAllChannels: true,
      switches: DemoSwitch.allCases,
      conversation: conversation
    )
  }

  // MARK: What they are sent

  static let sends = [allowance, chat, goal, urgent, reminder, burst]

  static let allowance = DemoSend(
    name: "allowance",
    label: "Weekly allowance",
    words: "To the whole family, who chose all three channels for it: push, inbox and email.",
    to: people
  ) {
    GatewaySendRequest(
      to: .init(group: group),
      type: type,
      // Another one each time: two alike would look like one that came twice.
      data: ["amount": "$5.00", "balance": "$\(nextBalance()).00"]
    )
  }

  /// Dollars after the last deposit: the first that is sent makes $47, for the send makes one more as its example.
  private static let balance = Mutex(37)

  /// Each deposit adds what it says that it does.
  private static func nextBalance() -> Int {
    balance.withLock { dollars in
      dollars += 5
      return dollars
    }
  }

  private static let chat = DemoSend(
    name: "chat",
    label: "Message from Tom",
    words: "Tom writes to \(conversation.name): whoever has it on the screen gets no push.",
    to: [maria, ella]
  ) {
    GatewaySendRequest(
      to: .init(group: group, except: [tom.id]),
      type: "NewMessage",
      data: [
        "conversationId": conversation.id, "messageId": UUID().uuidString.lowercased(), "senderId": tom.id,
        "senderName": tom.name, "isGroupChat": "true", "groupName": conversation.name,
        "text": "Shall we go to the lake on Saturday?",
      ],
      entity: (type: conversation.type, id: conversation.id)
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
      to: .init(group: group, except: [tom.id]),
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
    to: people,
    count: 20,
    spread: .seconds(5)
  ) {
    GatewaySendRequest(
      to: .init(group: group),
      type: "GiftReceived",
      data: ["giverName": "Grandma", "amount": "$\(Int.random(in: 1...50)).00"]
    )
  }
}
