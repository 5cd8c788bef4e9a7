import Foundation
import BelfryJSON
import Testing

@testable import NotificationModel

/// What a check of a catalogue file finds, each with line, column, path and words.
@Suite struct CatalogueReviewTests {
  private static let head = """
    version: 1
    defaults: { channels: { inApp: true }, priority: normal, timeToLiveDays: 1, title: News, body: Something }

    """

  /// What is found in a file after its two lines of head, each as `line:column path: message`.
  private func found(_ entries: String) -> [String] {
    Catalogue.review(Self.head + entries).problems.map {
      "\($0.line.map(String.init) ?? "-"):\($0.column.map(String.init) ?? "-") \($0)"
    }
  }

  @Test func `the built-in file has nothing to be found, and so has none that says the same as part of it`() {
    let problems = Catalogue.review(CatalogueMutation.original, over: nil, Channel.routing).problems
    #expect(problems == [])
  }

  @Test func `a good file is read, whatever stands in it`() throws {
    let review = Catalogue.review(
      Self.head + """
        types:
        - { code: 900, name: Sent, category: Shop, title: "{{customer}}: sent", example: { customer: Ann, total: 12.5 } }
        - { code: 12, name: Paid, category: Shop, replaces: true }
        events: [{ name: OrderPaid, relay: false, payload: [userId, customer] }]
        rules:
        - { name: sent, on: OrderPaid, user: "{{userId}}", data: { customer: "{{customer}}" }, notify: Sent }
        """
    )
    #expect(review.problems == [])
    let catalogue = try #require(review.catalogue)
    #expect(catalogue.type(.name("Sent"))?.example == ["customer": "Ann", "total": "12.5"])
    #expect(catalogue.event("OrderPaid")?.payload == ["userId", "customer"])
  }

  @Test func `what readers of mails could not see or would miss is found`() {
    let found = found(
      """
      types:
      - code: 900
        name: Sent
        category: Shop
        title: "{{order}}"
        example: { order: "7" }
        mail: { subject: "{{order}} {{oder}}", text: "  {{order}}", html: "<p>{ {{order}} }" }
        actions: [{ id: GO, title: Go, link: "https://a.example/{{nr}}" }]
      mailLayout: { name: "{{shop}}", colors: { accent: "#dddddd" }, darkColors: { text: "#333333" } }
      """
    )
    #expect(
      found.map { $0.replacing(#/^[0-9]+:[0-9]+ /#, with: "") } == [
        "types[0] (Sent).mail.subject: neither an event nor an example gives {{oder}}; did you mean order?",
        "types[0] (Sent).actions[0].link: neither an event nor an example gives {{nr}}",
        "mailLayout.name: is no template: people would read the braces",
        "mailLayout.colors: people cannot read accent on surface: its contrast is 1.3, and 4.5 is needed",
        "mailLayout.darkColors: people cannot read text on surface: its contrast is 1.2, and 4.5 is needed",
      ]
    )
  }

  // MARK: The form

  @Test func `YAML that does not parse has its line and column`() throws {
    let problem = try #require(
      Catalogue.review("version: 1\nevents: [\n  { name: A }\n  { name: B }\n]").problems.first
    )
    #expect(problem.line == 4 && problem.column == 3 && problem.path.isEmpty, "\(problem)")
    let error = #expect(throws: CatalogueError.self) {
      try Catalogue(overrides: "version: 1\nevents: [\n  { name: A }\n  {")
    }
    #expect(error?.description.hasPrefix("catalogue file: line ") == true)
  }

  @Test func `members that stand twice are found with all else`() {
    #expect(
      found("events:\n- name: A\n  relay: true\n  name: B\n  relay: false\n  amunts: [b]") == [
        "4:3 events[0] (B): is not relayed, and no rule listens to it: reports of it are refused",
        "6:3 events[0] (B).name: stands twice", "7:3 events[0] (B).relay: stands twice",
        "8:3 events[0] (B).amunts: is not a known field; did you mean amounts?",
      ]
    )
  }

  @Test func `mistakes of form, of references and of each rule are found at once`() {
    #expect(
      found(
        """
        types:
        - { code: 900, name: Sent, category: Shop, prority: high }
        rules:
        - name: sent
          on: OrderPayed
          key: [a]
          when: { value: "5 5", atLeast: { setting: limt } }
          notify: [Snt, { type: Sent, too: x }]
        """
      ) == [
        "4:44 types[0] (Sent).prority: is not a known field; did you mean priority?",
        "7:3 rules[0] (sent).on: 'OrderPayed' is not an event of the catalogue",
        "8:3 rules[0] (sent).key: expected a text",
        "9:11 rules[0] (sent).when.value: expected a member of the payload, not '5 5'",
        "9:36 rules[0] (sent).when.atLeast.setting: 'limt' is not a setting; there are lowBalanceThreshold",
        "10:12 rules[0] (sent).notify[0]: 'Snt' is not a type of the catalogue; did you mean Sent?",
        "10:31 rules[0] (sent).notify[1].too: is not a known key; known are about, data, to, type; did you mean to?",
      ]
    )
  }

  // MARK: Tags

  @Test(arguments: [
    ("{ {cook}} made it", "4:43", "'{ {cook}} made it' has '}}' without '{{'"),
    ("{{cook} made it", "4:43", "'{{cook} made it' has '{{' without '}}'"),
    ("{ {cook} } made it", "4:51", "has '{' by itself, which people would read: a tag is {{name}}"),
    ("made by {cook}", "4:59", "has '{' by itself, which people would read: a tag is {{name}}"),
    ("made by {{coook}}", "4:59", "neither an event nor an example gives {{coook}}; did you mean cook?"),
    ("made by {{cook|mony}}", "4:66", "template 'made by {{cook|mony}}': 'mony' is not a filter"),
    (" made by {{cook}}", "4:43", "begins or ends with a blank"),
    ("", "4:43", "is empty"),
  ])
  func `a tag that is unclosed, lone or misspelt is found where it stands`(
    _ text: String,
    _ place: String,
    _ words: String
  ) {
    let found = found("types:\n- { code: 900, name: Dinner, category: X, title: \"\(text)\", example: { cook: Ann } }")
    #expect(found.count == 1 && found[0].hasPrefix("\(place) types[0] (Dinner).title: \(words)"), "\(found)")
  }

  @Test func `tags where nothing is filled in, and quotes that do not begin, are found`() {
    #expect(
      found(
        """
        types:
        - code: 900
          name: Dinner
          category: X
          title: Dinner"
          actions: [{ id: GO, title: "Go to {{place}}" }]
        """
      ) == [
        "7:3 types[0] (Dinner).title: ends with a quote that does not begin: put the whole text in quotes if that is meant",
        "8:37 types[0] (Dinner).actions[0].title: is no template: people would read the braces",
      ]
    )
  }

  // MARK: Variables

  @Test func `a type whose variables nobody gives needs an example`() {
    #expect(
      found("types:\n- { code: 900, name: Dinner, category: X, title: \"{{cook}}: {{dish}}\" }") == [
        "4:51 types[0] (Dinner).title: neither an event nor an example gives {{cook}}, {{dish}}: add example: { cook: … }"
      ]
    )
  }

  @Test func `an example without what texts need is found, and a payload without example`() {
    #expect(
      found(
        """
        events: [{ name: Cooked, relay: false }]
        types:
        - { code: 900, name: Dinner, category: X, title: "{{cook}}", payload: [cok], example: { dish: Pie } }
        rules:
        - { name: dinner, on: Cooked, notify: { type: Dinner, to: "{{u}}", data: { cook: "{{cook}}", dish: "{{dish}}" } } }
        """
      ) == [
        "5:72 types[0] (Dinner).payload: the example has no 'cok'; did you mean cook?",
        "5:78 types[0] (Dinner).example: lacks cook, which the texts need",
      ]
    )
  }

  @Test func `what a rule does not give its type, or gives under another name, is found`() {
    let types =
      "- { code: 900, name: Dinner, category: X, title: \"{{cook}}{{#dish}}: {{.}}{{/dish}}\", example: { cook: A, dish: B } }"
    #expect(
      found(
        """
        events: [{ name: Cooked, relay: false }]
        types:
        \(types)
        rules:
        - { name: a, on: Cooked, user: "{{u}}", data: { dish: "{{dish}}" }, notify: Dinner }
        - { name: b, on: Cooked, user: "{{u}}", data: { cook: "{{cook?}}", dihs: "{{dish}}" }, notify: Dinner }
        """
      ) == [
        "7:69 rules[0] (a).notify: the rule a does not give {{cook}}, which the texts of Dinner need",
        "8:68 rules[1] (b).data.dihs: neither the texts nor the example of Dinner have 'dihs'; did you mean dish?",
        "8:88 rules[1] (b).notify: the rule b does not give {{cook}} in every case, which the texts of Dinner need",
      ]
    )
  }

  @Test func `a type in the place of one that a built-in rule notifies must make do with what the rule gives`() {
    let found = found(
      "types:\n- { code: 2, name: LowBalanceWarning, category: X, replaces: true, title: \"{{ballance}}\", example: { ballance: 1 } }"
    )
    #expect(
      found == [
        "4:3 types[0] (LowBalanceWarning): the rule low-balance does not give {{ballance}}, which the texts of "
          + "LowBalanceWarning need"
      ]
    )
  }

  @Test func `members that an event does not have are found`() {
    #expect(
      found(
        """
        events:
        - { name: Paid, payload: [userId, amount], arguments: [amuont] }
        rules:
        - { name: paid, on: Paid, user: "{{usrId}}", data: { amount: "{{amount}}" }, notify: SystemAnnouncement }
        """
      ) == [
        "4:56 events[0] (Paid).arguments: the payload has no 'amuont'; did you mean amount?",
        "6:36 rules[0] (paid).user: the payload of Paid has no 'usrId'; did you mean userId?",
      ]
    )
  }

  @Test func `a composition of many has three variables`() {
    #expect(
      found("composition: { title: \"{{cuont}} news\", body: \"{{titles}}\" }") == [
        "3:24 composition.title: there are count, titles and others, not {{cuont}}; did you mean count?"
      ]
    )
  }

  @Test func `a filter that cannot take what a rule gives it is found`() {
    let rule =
      "{ name: r, on: AppOpened, user: \"{{userId}}\", data: { a: \"{{userId|money:euro}}\" }, notify: SystemAnnouncement }"
    #expect(
      found("rules:\n- \(rule)") == [
        "4:70 rules[0] (r).data.a: 'money:euro': only money and price take a currency such as EUR or @currency"
      ]
    )
  }

  // MARK: Replacing

  @Test func `what replaces a built-in entry says so, and what says so replaces one`() {
    #expect(
      found(
        """
        categories: [{ name: Tasks }]
        types: [{ code: 32, name: TaskCompleted, category: Tasks }, { code: 900, name: A, category: Tasks, replaces: true }]
        events: [{ name: AppOpened, relay: false }]
        rules: [{ name: nothing-logged, off: true }, { name: first-transaction, on: TransactionLogged, notify: { type: 99, to: "{{userId}}" } }]
        schedules: [{ name: daily-log-reminder, type: DailyLogReminder, recurrence: FREQ=DAILY, time: "19:00" }]
        settings: [{ name: lowBalanceThreshold, type: number, default: 1 }]
        """
      ) == [
        "3:16 categories[0] (Tasks).name: replaces the built-in category Tasks: say replaces: true if that is meant",
        "4:11 types[0] (TaskCompleted).code: replaces the built-in type 32 TaskCompleted: say replaces: true if that is meant",
        "4:100 types[1] (A).replaces: there is nothing built-in that it replaces",
        "5:12 events[0] (AppOpened).name: replaces the built-in event AppOpened: say replaces: true if that is meant",
        "6:48 rules[1] (first-transaction).name: replaces the built-in rule first-transaction: say replaces: true if that is "
          + "meant",
        "7:15 schedules[0] (daily-log-reminder).name: replaces the built-in schedule template daily-log-reminder: "
          + "say replaces: true if that is meant",
        "8:14 settings[0] (lowBalanceThreshold).name: replaces the built-in setting lowBalanceThreshold: say replaces: true "
          + "if that is meant",
      ]
    )
  }

  // MARK: Languages

  @Test func `a text that lacks a language of its type, or of most types, is found`() {
    #expect(
      found(
        """
        types:
        - { code: 900, name: A, category: X, title: { en: One, de: Eins }, body: Not one }
        - { code: 901, name: B, category: X, title: { en: Two, de: Zwei }, body: "{{x}}: 2", example: { x: 1 } }
        - { code: 902, name: C, category: X, title: Three, body: "3", actions: [{ id: GO, title: Go }] }
        """
      ) == [
        "2:77 defaults.title: has no text for de, which 2 types have",
        "2:90 defaults.body: has no text for de, which 2 types have",
        "4:68 types[0] (A).body: has no text for de, which title has",
        "6:38 types[2] (C).title: has no text for de, which 2 types have",
        "6:83 types[2] (C).actions[0].title: has no text for de, which 2 types have",
      ]
    )
  }

  @Test func `languages and currencies that there are not are found`() {
    #expect(
      found(
        "currency: EUO\ntypes: [{ code: 900, name: A, category: X, title: { en: A, xq: B }, body: { en: A, xq: B } }]"
      )
        == [
          "3:1 currency: there is no currency 'EUO'", "4:60 types[0] (A).title.xq: there is no language 'xq'",
          "4:84 types[0] (A).body.xq: there is no language 'xq'",
        ]
    )
  }

  // MARK: The built-in file

  @Test func `every built-in type is worded from its example`() throws {
    let catalogue = try Catalogue()
    for type in catalogue.types {
      let example = type.example ?? [:]
      #expect(type.template.missing(in: example).isEmpty, "\(type.name)")
      let text = type.template.render(title: nil, body: nil, data: example)
      #expect(!text.title.isEmpty && !text.body.isEmpty && text.excess.isEmpty, "\(type.name)")
      #expect(type.example != nil || type.template.variables.isEmpty, "\(type.name)")
    }
  }

  @Test func `of forty slips in the built-in file each is found, or changes nothing`() async throws {
    try await CatalogueFuzzTests.check(count: 40, seed: 7)
  }

  // MARK: What nothing reaches

  @Test(arguments: [
    ("when: { value: a, fallsBelow: a }", "4:60", "when: can never hold: a is never on the other side of itself"),
    ("when: { value: a, previous: a, fallsBelow: 10 }", "4:60", "when: can never hold: a is its own previous value"),
    ("when: { value: a, exceeds: a, evaluate: endOfPeriod }", "4:60", "when: can never hold: a is never above itself"),
    (
      "when: { value: a, atLeast: 5 }, unless: a", "4:92",
      "unless: leaves nothing: wherever 'when' holds, a is there and not 0"
    ),
    ("when: first, let: { b: { minus: [a, 1] } }", "4:80", "let.b: is used nowhere in the rule"),
  ])
  func `a rule that can send nothing is found`(_ condition: String, _ place: String, _ words: String) {
    let found = found(
      "rules:\n- { name: r, on: AppOpened, user: \"{{userId}}\", data: { }, \(condition), notify: SystemAnnouncement }"
    ).filter { !$0.contains("the payload of AppOpened") }
    #expect(found == ["\(place) rules[0] (r).\(words)"])
  }

  @Test func `an event of which nothing becomes, and a type that is off by accident, are found`() {
    let yaml = """
      version: 1
      defaults: { channels: {}, priority: normal, timeToLiveDays: 1, title: News, body: Something }
      types: [{ code: 900, name: A, category: X }, { code: 901, name: B, category: X, channels: { inApp: false } }]
      events: [{ name: Unheard, relay: false }, { name: Heard, relay: false }]
      rules: [{ name: r, on: Heard, notify: [{ type: A, to: "{{u}}" }, { type: B, to: "{{u}}" }] }]
      """
    #expect(
      Catalogue.review(yaml).problems.map { "\($0.line ?? 0):\($0.column ?? 0) \($0)" } == [
        "4:10 events[0] (Unheard): is not relayed, and no rule listens to it: reports of it are refused",
        "5:31 rules[0] (r).notify: A is off on every channel, because nothing says otherwise: the rule reaches nobody",
      ]
    )
  }
}
