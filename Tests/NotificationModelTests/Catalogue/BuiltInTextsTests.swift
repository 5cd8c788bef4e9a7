import NotificationModel
import Testing

/// The types from 100 on, in the words of their specifications.
@Suite struct BuiltInTextsTests {
  struct Sample: Sendable, CustomTestStringConvertible {
    var code: Int
    var name: String
    var category: String
    var title: String
    var body: String
    var data: [String: String]
    var testDescription: String { "\(name) \(data.sorted { $0.key < $1.key }.map { "\($0)=\($1)" })" }

    init(
      _ code: Int,
      _ name: String,
      _ category: String,
      _ title: String,
      _ body: String,
      _ data: [String: String] = [:]
    ) {
      (self.code, self.name, self.category, self.title, self.body, self.data) = (
        code, name, category, title, body, data
      )
    }
  }

  private let catalogue: Catalogue

  init() throws {
    catalogue = try Catalogue()
  }

  @Test(arguments: messages + budgeting + checkIns)
  func `a type has its code, name, category and text`(_ sample: Sample) throws {
    let type = try #require(catalogue.type(.code(sample.code)))
    #expect(type.name == sample.name)
    #expect(type.category == sample.category)
    #expect(type.template.missing(in: sample.data).isEmpty)
    let text = type.template.render(title: nil, body: nil, data: sample.data)
    #expect(text == NotificationTemplate.Text(title: sample.title, body: sample.body))
  }

  @Test func `no type is without a sample`() {
    let samples = Set((Self.messages + Self.budgeting + Self.checkIns).map(\.code))
    #expect(catalogue.types.map(\.code).filter { $0 >= 100 } == samples.sorted())
  }

  private static let messages = [
    Sample(110, "NewMessage", "Messages", "Ann", "Hi", ["senderName": "Ann", "text": "Hi", "isGroupChat": "false"]),
    Sample(110, "NewMessage", "Messages", "Someone", "Hi", ["text": "Hi"]),
    Sample(
      110,
      "NewMessage",
      "Messages",
      "Ann in Family",
      "Hi",
      ["senderName": "Ann", "text": "Hi", "isGroupChat": "true", "groupName": "Family"]
    ),
    Sample(
      110,
      "NewMessage",
      "Messages",
      "Ann in group",
      "Hi",
      ["senderName": "Ann", "text": "Hi", "isGroupChat": "true", "groupName": ""]
    ),
    Sample(
      110,
      "NewMessage",
      "Messages",
      "Ann",
      String(repeating: "👩‍👩‍👧‍👦", count: 100),
      ["senderName": "Ann", "text": String(repeating: "👩‍👩‍👧‍👦", count: 101)]
    ),
  ]

  private static let checkIns = [
    Sample(200, "AlertTriggered", "Alerts", "Alert", "Ann triggered an alert", ["userName": "Ann"]),
    Sample(201, "AlertCancelled", "Alerts", "Alert Cancelled", "Ann cancelled the alert", ["userName": "Ann"]),
    Sample(210, "PingReceived", "Pings", "Ping", "Ann sent you a ping", ["userName": "Ann"]),
    Sample(211, "PingResponded", "Pings", "Ping Response", "Ann responded to your ping", ["userName": "Ann"]),
    Sample(
      220,
      "ContactRoleChanged",
      "Roles",
      "Role Changed",
      "Ann changed your role to responder",
      ["userName": "Ann", "role": "responder"]
    ),
    Sample(
      221,
      "YourContactRoleChanged",
      "Roles",
      "Role Changed",
      "You changed the role of Bob to dependent",
      ["contactName": "Bob", "role": "dependent"]
    ),
    Sample(230, "ContactRemoved", "Removed", "Contact Removed", "Ann removed you as a contact", ["userName": "Ann"]),
    Sample(
      231,
      "YourContactRemoved",
      "Removed",
      "Contact Removed",
      "You removed Bob as a contact",
      ["contactName": "Bob"]
    ),
    Sample(
      240,
      "ContactAdded",
      "Added",
      "Contact Added",
      "Ann added you as a responder",
      ["userName": "Ann", "role": "responder"]
    ),
    Sample(241, "YourContactAdded", "Added", "Contact Added", "You added Bob as a contact", ["contactName": "Bob"]),
    Sample(250, "CheckInReminder", "Check-Ins", "Check-In Reminder", "Your check-in is about to expire"),
    Sample(251, "CheckInExpired", "Check-Ins", "Check-In Expired", "Your check-in has expired"),
    Sample(
      252,
      "ContactCheckInExpired",
      "Check-Ins",
      "Check-In Expired",
      "The check-in of Ann has expired",
      ["userName": "Ann"]
    ),
  ]
}
