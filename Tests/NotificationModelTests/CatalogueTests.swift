import Foundation
import Testing

@testable import NotificationModel

@Suite struct CatalogueTests {
  /// A catalogue file with the given entries.
  private func file(_ types: String, timeToLiveDays: Int = 14) -> String {
    """
    version: 1
    defaults:
      channels: { inApp: true, push: false, email: true }
      priority: normal
      timeToLiveDays: \(timeToLiveDays)
      title: News
      body: Something happened
    types:
    \(types)
    """
  }

  private func failure(_ overrides: String) -> String? {
    do {
      _ = try Catalogue(overrides: overrides)
      return nil
    } catch {
      return error.description
    }
  }

  @Test func `an operator's file adds a type with the defaults of that file`() throws {
    let catalogue = try Catalogue(overrides: file("  - { code: 200, name: SchoolClosed, category: School }"))
    #expect(catalogue.types.count == 27)
    let type = try #require(catalogue.type(.name("schoolclosed")))
    #expect(type.code == 200)
    #expect(type.channels == PerChannel(inApp: true, push: false, email: true))
    #expect(type.priority == .normal)
    #expect(type.timeToLive == 14 * 86_400)
    #expect(type.template.render(title: nil, body: nil, data: [:]).title == "News")
  }

  @Test func `an entry with a known code replaces that type and leaves the others alone`() throws {
    let entry = """
        - code: 10
          name: PocketMoney
          category: Allowance
          priority: high
          timeToLiveDays: 3
          channels: { inApp: false, push: true, email: false }
          title: "Pocket money: {{amount}}"
          body: "Enjoy{{^balance}}!{{/balance}}{{#balance}}, you have {{balance}}{{/balance}}"
      """
    let catalogue = try Catalogue(overrides: file(entry))
    #expect(catalogue.types.count == 26)
    #expect(catalogue.type(.name("AllowanceDeposit")) == nil)
    let type = try #require(catalogue.type(.code(10)))
    #expect(type.timeToLive == 3 * 86_400)
    #expect(type.priority == .high)
    #expect(type.channels == PerChannel(inApp: false, push: true, email: false))
    #expect(type.template.missing(in: [:]) == ["amount"])
    #expect(type.template.render(title: nil, body: nil, data: ["amount": "$3"]).body == "Enjoy!")
    let whole = type.template.render(title: nil, body: nil, data: ["amount": "$3", "balance": "$9"])
    #expect(whole == NotificationTemplate.Text(title: "Pocket money: $3", body: "Enjoy, you have $9"))
    #expect(catalogue.type(.code(11))?.priority == .high)
  }

  @Test func `texts are plain, so nothing in them is escaped or rendered again`() throws {
    let template = try NotificationTemplate(title: "{{name}}", body: "{{{name}}} & {{&name}}")
    let text = template.render(title: nil, body: nil, data: ["name": "<Tom> & \"{{amount}}\""])
    #expect(text.title == "<Tom> & \"{{amount}}\"")
    #expect(text.body == "<Tom> & \"{{amount}}\" & <Tom> & \"{{amount}}\"")
  }

  @Test(arguments: ["{{name}}", "{{ name }}", "{{{name}}}", "{{&name}}", "{{& name }}"])
  func `every form of a variable is required`(_ text: String) throws {
    let template = try NotificationTemplate(title: "Hello", body: text)
    #expect(template.missing(in: [:]) == ["name"])
    #expect(template.missing(in: ["name": ""]).isEmpty)
  }

  @Test func `a given title or body needs no variables and is taken as it is`() throws {
    let template = try NotificationTemplate(title: "{{a}}", body: "{{b}}")
    #expect(template.missing(in: [:], hasTitle: true) == ["b"])
    #expect(template.missing(in: [:], hasBody: true) == ["a"])
    #expect(template.missing(in: [:], hasTitle: true, hasBody: true).isEmpty)
    let text = template.render(title: "Own {{a}}", body: nil, data: ["b": "B"])
    #expect(text == NotificationTemplate.Text(title: "Own {{a}}", body: "B"))
  }

  @Test func `two types of one name are refused with both codes`() {
    let message = failure(file("  - { code: 200, name: balancealert, category: X }"))
    #expect(message == "types 1 and 200 are both named balancealert")
  }

  @Test func `a key that nobody would read is refused with its place`() {
    let message = failure(file("  - { code: 200, name: A, category: X, titel: B }"))
    #expect(message == "catalogue file: 'types[0].titel' is not a known key")
  }

  @Test(arguments: ["sms", "Push", "4"])
  func `a channel that this version does not have is refused with its type and the channels there are`(_ name: String) {
    let known = "is no channel of this version, which knows inApp, push, email"
    let channels = "channels: { inApp: true, push: true, \(name): true }"
    let entry = "  - { code: 200, name: SchoolClosed, category: X, \(channels) }"
    #expect(failure(file(entry)) == "catalogue file: type 200 (SchoolClosed): '\(name)' \(known)")
    let defaults = file("  - { code: 200, name: A, category: X }").replacing("email: true", with: "\(name): true")
    #expect(failure(defaults) == "catalogue file: defaults: '\(name)' \(known)")
  }

  @Test func `a code that stands twice in a file is refused`() {
    let message = failure(file("  - { code: 200, name: A, category: X }\n  - { code: 200, name: B, category: X }"))
    #expect(message == "catalogue file: two types have the code 200")
  }

  @Test(
    arguments: [
      "  - { code: 0, name: A, category: X }", "  - { code: 32768, name: A, category: X }",
      "  - { code: 200, name: '', category: X }", "  - { code: 200, name: A, category: X, timeToLiveDays: 0 }",
      "  - { code: 200, name: A, category: X, timeToLiveDays: 9000000000000000000 }",
    ]
  )
  func `an entry out of bounds is refused with its code`(_ entry: String) throws {
    let message = try #require(failure(file(entry)))
    #expect(message.hasPrefix("catalogue file: type "))
  }

  @Test func `a default time to live of nothing is refused`() {
    #expect(failure(file("  - { code: 200, name: A, category: X }", timeToLiveDays: 0)) != nil)
  }

  @Test func `another version is refused, not guessed at`() {
    let text = file("  - { code: 200, name: A, category: X }").replacing("version: 1", with: "version: 2")
    #expect(failure(text) == "catalogue file: version 2 is not 1")
  }

  @Test func `a template that does not parse is refused with its text`() throws {
    let entry = "  - { code: 200, name: A, category: X, body: '{{#open}} never closed' }"
    #expect(try #require(failure(file(entry))).contains("{{#open}} never closed"))
  }

  @Test(arguments: ["", "types: [", "version: 1", "- 1\n- 2"])
  func `a file that is no catalogue is refused`(_ text: String) throws {
    #expect(try #require(failure(text)).hasPrefix("catalogue file: "))
  }

  @Test func `a file that cannot be read is named`() {
    #expect {
      try Catalogue(file: "/nonexistent/catalogue.yaml")
    } throws: { error in
      String(describing: error) == "cannot read the catalogue file /nonexistent/catalogue.yaml"
    }
  }

  @Test func `no file means the built-in types`() throws {
    #expect(try Catalogue(file: "").types.count == 26)
  }

  @Test func `a reference shows itself without flooding a log`() {
    #expect(String(describing: Catalogue.Reference.code(10)) == "10")
    #expect(String(describing: Catalogue.Reference.name(String(repeating: "x", count: 500))).count == 66)
  }

  // MARK: Events

  @Test func `the built-in events are those of the apps`() throws {
    let catalogue = try Catalogue()
    #expect(
      catalogue.events.map(\.name)
        == ["AllowancePaid", "BalanceUpdated", "ChoreApproved", "GoalReached", "TransactionCreated"]
    )
    #expect(catalogue.event("BALANCEUPDATED")?.name == "BalanceUpdated")
    #expect(catalogue.event("BalanceUpdated")?.arguments == ["childId", "newBalance"])
    #expect(catalogue.event("GoalReached")?.arguments == [])
    #expect(catalogue.event("Anything") == nil)
  }

  @Test func `a file may hold events alone, which are added or take the place of those with their names`() throws {
    let catalogue = try Catalogue(
      overrides: """
        version: 1
        events:
          - name: Class.Over_2
            arguments: [teacher]
          - { name: balanceupdated }
        """
    )
    #expect(catalogue.types.count == 26)
    #expect(catalogue.events.count == 6)
    #expect(catalogue.event("class.over_2")?.arguments == ["teacher"])
    #expect(catalogue.event("BalanceUpdated")?.name == "balanceupdated")
    #expect(catalogue.event("BalanceUpdated")?.arguments == [])
  }

  @Test(
    arguments: [
      ("- { name: '' }", "event '': expected 1 to 64 letters, digits, '_' and '.', a letter first"),
      ("- { name: 1st }", "event '1st': expected 1 to 64 letters, digits, '_' and '.', a letter first"),
      ("- { name: Größe }", "event 'Größe': expected 1 to 64 letters, digits, '_' and '.', a letter first"),
      ("- { name: unreadCOUNTChanged }", "event unreadCOUNTChanged: the hub's own messages cannot be relayed"),
      ("- { name: A, arguments: [b, b] }", "event A: expected at most 16 different arguments of 1 to 64 bytes"),
      ("- { name: A, arguments: [''] }", "event A: expected at most 16 different arguments of 1 to 64 bytes"),
      ("- { name: A }\n- { name: a }", "two events are named a"),
      ("- { name: A, argument: [b] }", "'events[0].argument' is not a known key"),
    ]
  )
  func `an event that could not be relayed is refused with what is wrong`(_ events: String, _ reason: String) {
    #expect(failure("version: 1\nevents:\n\(events)") == "catalogue file: \(reason)")
  }

  @Test func `types need the file's defaults`() {
    #expect(
      failure("version: 1\ntypes:\n- { code: 200, name: A, category: X }") == "catalogue file: 'defaults' is missing"
    )
    #expect(failure("version: 1") == "catalogue file: neither types nor events")
  }
}
