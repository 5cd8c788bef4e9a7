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
    let catalogue = try Catalogue(overrides: file("  - { code: 900, name: SchoolClosed, category: School }"))
    #expect(catalogue.types.count == 61)
    let type = try #require(catalogue.type(.name("schoolclosed")))
    #expect(type.code == 900)
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
    #expect(catalogue.types.count == 60)
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
    let message = failure(file("  - { code: 900, name: balancealert, category: X }"))
    #expect(message?.hasSuffix("(balancealert).name: types 1 and 900 are both named balancealert") == true)
  }

  @Test func `a file that cannot be read is named`() {
    #expect {
      try Catalogue(file: "/nonexistent/catalogue.yaml")
    } throws: { error in
      String(describing: error) == "cannot read the catalogue file /nonexistent/catalogue.yaml"
    }
  }

  @Test func `no file means the built-in types`() throws {
    #expect(try Catalogue(file: "").types.count == 60)
  }

  @Test func `a reference shows itself without flooding a log`() {
    #expect(String(describing: Catalogue.Reference.code(10)) == "10")
    #expect(String(describing: Catalogue.Reference.name(String(repeating: "x", count: 500))).count == 66)
  }

  // MARK: Events

  @Test func `the relayed events are those of the apps`() throws {
    let catalogue = try Catalogue()
    #expect(
      catalogue.events.filter(\.isRelayed).map(\.name)
        == ["AllowancePaid", "BalanceUpdated", "ChoreApproved", "GoalReached", "TransactionCreated"]
    )
    #expect(catalogue.event("BALANCEUPDATED")?.name == "BalanceUpdated")
    #expect(catalogue.event("BalanceUpdated")?.arguments == ["childId", "newBalance"])
    #expect(catalogue.event("GoalReached")?.arguments == [])
    // What the family app's models declare as decimal numbers.
    let amounts = [
      ["amount", "newBalance", "previousBalance"], ["newBalance", "previousBalance"], ["amount"],
      ["goalPrice", "currentBalance"], ["amount", "balanceAfter"],
    ]
    #expect(catalogue.events.filter(\.isRelayed).map(\.amounts) == amounts)
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
    #expect(catalogue.types.count == 60)
    #expect(catalogue.events.count == 24)
    #expect(catalogue.event("class.over_2")?.arguments == ["teacher"])
    #expect(catalogue.event("BalanceUpdated")?.name == "balanceupdated")
    #expect(catalogue.event("BalanceUpdated")?.arguments == [])
  }
}
