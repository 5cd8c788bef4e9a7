import Foundation
import Testing

@testable import NotificationModel

/// What operators read before they apply a catalogue.
@Suite struct CatalogueDifferenceTests {
  /// One edit of the file, and what is said of it.
  struct Edit: Sendable, CustomTestStringConvertible {
    var old: String
    var new: String
    var kind: CatalogueChange.Kind
    var name: String
    var text: String

    init(_ old: String, _ new: String, _ kind: CatalogueChange.Kind, _ name: String, _ text: String) {
      (self.old, self.new, self.kind, self.name, self.text) = (old, new, kind, name, text)
    }

    var testDescription: String { "\(kind.rawValue): \(new)" }
  }

  private static let file = """
    version: 1
    defaults:
      channels: { inApp: true, push: true, email: false }
      priority: high
      timeToLiveDays: 30
      title: Notification
      body: Something
    composition: { title: "{{count}} news", body: "{{titles}}" }
    categories:
    - { name: Household, channels: { inApp: true, push: true } }
    - { name: Garden, channels: { inApp: true } }
    types:
    - { code: 900, name: DinnerIsReady, category: Household, title: { en: Dinner, de: Essen }, body: "At {{time}}" }
    - { code: 901, name: GuestWrote, category: Household, channels: { inApp: true }, title: A, body: B }
    - { code: 902, name: RainIsNear, category: Garden, title: A, body: B }
    - { code: 903, name: FrostIsNear, category: Garden, title: A, body: B, actions: [{ id: COVER, title: Cover }] }
    events:
    - { name: DishCooked, relay: false }
    - { name: TableIsSet, arguments: [room] }
    rules:
    - { name: dinner, on: DishCooked, user: "{{cook}}", data: { time: "{{at}}" }, notify: DinnerIsReady }
    - { name: frost, on: DishCooked, user: "{{cook}}", when: first, notify: FrostIsNear }
    schedules:
    - { name: bins, type: RainIsNear, recurrence: FREQ=DAILY, time: "19:00" }
    settings:
    - { name: dishes, type: number, minimum: 0, maximum: 21, default: 7, title: Dishes a week }

    """

  private static func catalogue(_ file: String = file) throws -> Catalogue { try Catalogue(overrides: file) }

  private static func changes(_ old: String, _ new: String) throws -> [CatalogueChange] {
    try #require(file.components(separatedBy: old).count == 2, "'\(old)' stands once")
    let other = file.replacingOccurrences(of: old, with: new)
    return CatalogueDifference(from: try catalogue(), to: try catalogue(other)).changes
  }

  static let edits: [Edit] = [
    Edit(
      "- { code: 901, name: GuestWrote, category: Household, channels: { inApp: true }, title: A, body: B }\n",
      "",
      .typeRemoved,
      "GuestWrote",
      "Type 901 GuestWrote is gone. Requests that name it are refused; what waits keeps its words."
    ),
    Edit(
      "events:\n",
      "- { code: 904, name: SunIsOut, category: Garden, title: \"{{where}}\", body: B }\nevents:\n",
      .typeAdded,
      "SunIsOut",
      "Type 904 SunIsOut is new, in the category Garden. It comes by in-app unless people choose otherwise. Requests must give 'where'."
    ),
    Edit(
      "name: GuestWrote",
      "name: VisitorWrote",
      .typeRenamed,
      "VisitorWrote",
      "Type 901 GuestWrote is called VisitorWrote. Requests that name GuestWrote are refused. What says 901 is VisitorWrote from now on, also what waits and was sent before."
    ),
    Edit(
      "name: GuestWrote",
      "name: guestWrote",
      .typeRenamed,
      "guestWrote",
      "Type 901 GuestWrote is called guestWrote. Requests may write it either way."
    ),
    Edit(
      "channels: { inApp: true }, title: A",
      "priority: normal, quietHours: drop, wait: { email: 15min }, channels: { inApp: true }, title: A",
      .typeChanged,
      "GuestWrote",
      "Of type 901 GuestWrote, the priority is normal instead of high, what quiet hours do is drop instead of defer, the wait is email after 15 minutes instead of none."
    ),
    Edit(
      "channels: { inApp: true }, title: A",
      "throttle: { atMost: 3, per: 2h, then: drop }, digest: { channel: push, every: 1h, title: T, body: U }, channels: { inApp: true }, title: A",
      .typeChanged,
      "GuestWrote",
      "Of type 901 GuestWrote, the digest is push each 1 hour instead of none, the throttle is at most 3 in 2 hours, the rest dropped instead of none."
    ),
    Edit(
      "channels: { inApp: true }, title: A",
      "timeToLiveDays: 2, maximumBodyLength: 50, sound: knock.caf, mutableContent: true, payload: [guest], channels: { inApp: true }, title: A",
      .typeChanged,
      "GuestWrote",
      "Of type 901 GuestWrote, the time to live is 2 days instead of 30 days, the longest body is 50 characters instead of any, the sound is knock.caf instead of default, its content to the service extension is mutable instead of final, what travels of the data is guest instead of all."
    ),
    Edit(
      "channels: { inApp: true }, title: A",
      "android: data, analyticsLabel: guests, channels: { inApp: true }, title: A",
      .typeChanged,
      "GuestWrote",
      "Of type 901 GuestWrote, what Android apps get is data instead of notification, Firebase's label is guests instead of none."
    ),
    Edit(
      "name: RainIsNear, category: Garden",
      "name: RainIsNear, category: Household, channels: { inApp: true }",
      .typeChanged,
      "RainIsNear",
      "Of type 902 RainIsNear, the category is Household instead of Garden. What people chose for the category Garden does not count for it any more."
    ),
    Edit(
      "channels: { inApp: true }, title: A",
      "mail: { subject: New }, channels: { inApp: true }, title: A",
      .textChanged,
      "GuestWrote",
      "Type 901 GuestWrote, subject of mails in en: 'New', which is new."
    ),
    Edit(
      "id: COVER, title: Cover",
      "id: COVER, title: Cover, link: \"https://a.example\"",
      .typeChanged,
      "FrostIsNear",
      "Of type 903 FrostIsNear, where buttons lead is COVER to https://a.example instead of none."
    ),
    Edit(
      "de: Essen",
      "de: Abendessen",
      .textChanged,
      "DinnerIsReady",
      "Type 900 DinnerIsReady, title in de: 'Abendessen' instead of 'Essen'."
    ),
    Edit(
      "id: COVER, title: Cover",
      "id: COVER, title: Wrap",
      .textChanged,
      "FrostIsNear",
      "Of type 903 FrostIsNear, the button COVER in en: 'Wrap' instead of 'Cover'."
    ),
    Edit(
      "title: \"{{count}} news\"",
      "title: News",
      .textChanged,
      "composition",
      "What several notifications say as one, title in en: 'News' instead of '{{count}} news'."
    ),
    Edit(
      "channels: { inApp: true }, title: A",
      "channels: { inApp: true }, title: \"{{guest}}\"",
      .variableRequired,
      "GuestWrote",
      "Type 901 GuestWrote needs 'guest': requests without it are refused."
    ),
    Edit(
      "\"At {{time}}\"",
      "\"{{#time}}At {{.}}{{/time}}\"",
      .variableNoLongerRequired,
      "DinnerIsReady",
      "Type 900 DinnerIsReady does without 'time': requests need not give it."
    ),
    Edit(
      "channels: { inApp: true }, title: A",
      "channels: { inApp: true, email: true }, title: A",
      .defaultChanged,
      "GuestWrote",
      "Type 901 GuestWrote: email is on instead of off for people who made no choice."
    ),
    Edit(
      "name: Garden, channels: { inApp: true }",
      "name: Garden, channels: { push: true, inApp: true }",
      .defaultChanged,
      "Garden",
      "Types RainIsNear and FrostIsNear of the category Garden: push is on instead of off for people who made no choice."
    ),
    Edit(
      "name: Garden, channels: { inApp: true }",
      "name: Garden, channels: { push: true, inApp: true }",
      .categoryChanged,
      "Garden",
      "The category Garden gives its types in-app and push instead of in-app."
    ),
    Edit(
      "name: Garden, channels: { inApp: true }",
      "name: Garden, mail: { stream: bulk }, channels: { inApp: true }",
      .categoryChanged,
      "Garden",
      "Mails of the category Garden are bulk instead of transactional."
    ),
    Edit(
      "name: Garden, channels: { inApp: true }",
      "name: Garden, mail: { unsubscribe: true }, channels: { inApp: true }",
      .categoryChanged,
      "Garden",
      "Mails of the category Garden can now be stopped by one click."
    ),
    Edit(
      "categories:\n",
      "categories:\n- { name: Attic }\n- { name: Cellar }\n",
      .typeAdded,
      "",
      ""
    ),
    Edit(
      "- { name: DishCooked, relay: false }",
      "- { name: DishCooked }",
      .eventChanged,
      "DishCooked",
      "Of the event DishCooked, the use is relayed to open connections instead of for rules alone."
    ),
    Edit(
      "- { name: TableIsSet, arguments: [room] }\n",
      "",
      .eventRemoved,
      "TableIsSet",
      "The event TableIsSet is gone. Reports of it are refused."
    ),
    Edit(
      "events:\n",
      "events:\n- { name: BellRang, relay: false }\n",
      .eventAdded,
      "BellRang",
      "The event BellRang is new: it is for rules alone."
    ),
    Edit(
      "- { name: frost, on: DishCooked, user: \"{{cook}}\", when: first, notify: FrostIsNear }\n",
      "",
      .ruleRemoved,
      "frost",
      "The rule frost is gone: DishCooked no longer leads to FrostIsNear. What it remembers of people is kept and not asked, and what waits for a time is not sent."
    ),
    Edit(
      "schedules:\n",
      "- { name: rain, on: DishCooked, user: \"{{cook}}\", notify: RainIsNear }\nschedules:\n",
      .ruleAdded,
      "rain",
      "The rule rain is new: on DishCooked, about {{cook}}: RainIsNear."
    ),
    Edit(
      "when: first",
      "key: \"{{dish}}\", when: first",
      .ruleChanged,
      "frost",
      "The rule frost is another. It was: on DishCooked, about {{cook}}, the first time: FrostIsNear. It is: on DishCooked, about {{cook}}, for each {{dish}}, the first time: FrostIsNear. It begins anew wherever its key comes out as another: nothing is remembered there."
    ),
    Edit(
      "- { name: bins, type: RainIsNear, recurrence: FREQ=DAILY, time: \"19:00\" }",
      "- { name: bins, type: RainIsNear, recurrence: FREQ=DAILY, time: \"20:00\" }",
      .scheduleChanged,
      "bins",
      "The schedule template bins is RainIsNear, FREQ=DAILY at 20:00 instead of RainIsNear, FREQ=DAILY at 19:00."
    ),
    Edit(
      "settings:\n",
      "- { name: frosts, type: FrostIsNear, recurrence: FREQ=DAILY, time: \"19:00\" }\nsettings:\n",
      .scheduleAdded,
      "frosts",
      "The schedule template frosts is new: FrostIsNear, FREQ=DAILY at 19:00."
    ),
    Edit(
      "- { name: bins, type: RainIsNear, recurrence: FREQ=DAILY, time: \"19:00\" }",
      "- { name: daily-log-reminder, off: true }",
      .scheduleRemoved,
      "bins",
      "The schedule template bins is gone. Schedules that name it are refused; those that are stored send nothing until it is back or they are put anew."
    ),
    Edit(
      "maximum: 21, default: 7",
      "maximum: 14, default: 5",
      .settingChanged,
      "dishes",
      "The setting dishes is another. It goes from 0 to 14 instead of 0 to 21; what people set outside counts as the nearest within. Who set nothing has 5 instead of 7."
    ),
    Edit(
      "name: dishes, type",
      "name: plates, type",
      .settingAdded,
      "plates",
      "The setting plates is new: from 0 to 21, 7 at first."
    ),
    Edit(
      "name: dishes, type",
      "name: plates, type",
      .settingRemoved,
      "dishes",
      "The setting dishes is gone. What people set stays stored and is not used."
    ),
    Edit(
      "version: 1\n",
      "version: 1\ncurrency: EUR\n",
      .currencyChanged,
      "currency",
      "Amounts whose data names no currency are in EUR instead of USD."
    ),
    Edit(
      "category: Garden, title: A, body: B, actions",
      "category: Household, channels: { inApp: true }, title: A, body: B, actions",
      .typeChanged,
      "FrostIsNear",
      "Of type 903 FrostIsNear, the category is Household instead of Garden. What people chose for the category Garden does not count for it any more."
    ),
  ]

  @Test(arguments: edits)
  func `each edit is said in words, and only what it changes`(_ edit: Edit) throws {
    let changes = try Self.changes(edit.old, edit.new)
    guard !edit.name.isEmpty else {
      // A category without types is shown nowhere.
      return #expect(changes == [])
    }
    #expect(changes.contains(CatalogueChange(kind: edit.kind, name: edit.name, text: edit.text)), "\(changes)")
    #expect(changes.count <= 3, "\(changes)")
  }

  @Test func `every kind of change is said of some edit`() throws {
    let tested = Set(Self.edits.filter { !$0.name.isEmpty }.map(\.kind))
    let elsewhere: Set<CatalogueChange.Kind> = [
      .codeReused, .categoryAdded, .categoryRemoved, .localeChanged, .otherChanged,
    ]
    #expect(tested.union(elsewhere) == Set(CatalogueChange.Kind.allCases))
  }

  @Test func `a category is there as long as a type has it`() throws {
    let changes = try Self.changes("categories:\n", "categories:\n- { name: Attic }\n")
    #expect(changes == [])
    let attic = Self.file.replacingOccurrences(of: "category: Garden", with: "category: Attic")
      .replacingOccurrences(of: "name: Garden,", with: "name: Attic,")
    let said = CatalogueDifference(from: try Self.catalogue(), to: try Self.catalogue(attic)).changes
    #expect(
      said.filter { $0.name == "Garden" }.map(\.text) == [
        "The category Garden is gone. What people chose for it stays stored and does not count."
      ]
    )
    #expect(said.filter { $0.name == "Attic" }.map(\.kind) == [.categoryAdded])
  }

  @Test func `a name that another code takes over is said to be that code's`() throws {
    let changes = try Self.changes("code: 901", "code: 905")
    #expect(changes.map(\.kind) == [.typeRemoved, .typeAdded])
    #expect(
      changes[0].text
        == "Type 901 GuestWrote is gone. Its name is type 905's now: requests that say 901 are refused, and choices of people for 901 do not count for 905."
    )
  }

  @Test func `another look of mails is said, each part by itself`() throws {
    let head = "version: 1\ncategories: [{ name: X }]\n"
    let old = head + "mailLayout: { name: Shop, footer: { en: Bye } }"
    let new = head + "mailLayout: { name: Store, colors: { accent: '#112233' }, html: '<p>{{content}}</p>' }"
    let changes = CatalogueDifference(from: try Self.catalogue(old), to: try Self.catalogue(new)).changes
    #expect(
      changes.map(\.text) == [
        "Of the layout of mails, the name: Store instead of Shop.",
        "Of the layout of mails, the colours: #112233, #f1f3f6, #ffffff, #1f2933 instead of #1d4ed8, #f1f3f6, #ffffff, #1f2933.",
        "Of the layout of mails, the footer in en: no text any more; it was 'Bye'. Its readers get the default locale's.",
        "Of the layout of mails, the HTML: the file's own of 18 bytes instead of the built-in.",
      ]
    )
    #expect(Set(changes.map(\.name)) == ["mailLayout"])
  }

  @Test func `another default locale is said, and each text that is another by it`() throws {
    let german = "version: 1\ndefaultLocale: de\ncategories: [{ name: X }]\n"
    let english = "version: 1\ndefaultLocale: en\ncategories: [{ name: X }]\n"
    let changes = CatalogueDifference(from: try Self.catalogue(english), to: try Self.catalogue(german)).changes
    #expect(changes.map(\.text) == ["The default locale is de instead of en."])
    #expect(changes.map(\.kind) == [.localeChanged])
  }

  @Test func `a catalogue does nothing otherwise than itself`() throws {
    var files = SampleFile.all.filter { if case .good = $0.expectation { true } else { false } }.map(\.yaml)
    files +=
      [Self.file]
      + Self.edits.filter { Self.file.contains($0.old) }.map {
        Self.file.replacingOccurrences(of: $0.old, with: $0.new)
      }
    #expect(files.count > 35)
    for file in files {
      let difference = CatalogueDifference(from: try Self.catalogue(file), to: try Self.catalogue(file))
      #expect(difference.changes == [] && difference.flips == [], "\(file)")
    }
  }

  @Test func `those for whom a default counts are named with it, exactly or by a part of all people`() throws {
    let other = Self.file.replacingOccurrences(
      of: "name: Garden, channels: { inApp: true }",
      with: "name: Garden, channels: { push: true }"
    )
    let difference = CatalogueDifference(from: try Self.catalogue(), to: try Self.catalogue(other))
    #expect(difference.flips.map(\.types) == [[902, 903], [902, 903]])
    #expect(difference.flips.map(\.channel) == [.inApp, .push])
    #expect(difference.flips.allSatisfy { $0.category == "Garden" })
    let counted = difference.changes(counting: [
      .init(count: 3, people: 7, isAll: true), .init(count: 2_471, people: 10_000, isAll: false),
    ])
    #expect(counted.count == difference.changes.count)
    let defaults = counted.filter { $0.kind == .defaultChanged }.map(\.text)
    #expect(
      defaults.first?.hasSuffix(
        "in-app is off instead of on for people who made no choice. 3 of 7 people made no choice."
      ) == true
    )
    #expect(
      defaults.last?.hasSuffix("Of the 10000 people with the lowest ids, 25 % made no choice; there are more.") == true
    )
    #expect(difference.changes(counting: []) == difference.changes)
    let nobody = difference.changes(counting: [.init(count: 0, people: 0, isAll: true)])
    #expect(
      nobody.contains { $0.text.hasSuffix("Nobody has a profile yet: it counts for everybody who made no choice.") }
    )
  }

  @Test func `the schedules that stop are named with the type that is gone or called otherwise`() throws {
    let gone = "- { code: 901, name: GuestWrote, category: Household, channels: { inApp: true }, title: A, body: B }\n"
    for (old, new, kind) in [
      (gone, "", CatalogueChange.Kind.typeRemoved), ("name: GuestWrote", "name: VisitorWrote", .typeRenamed),
    ] {
      let other = Self.file.replacingOccurrences(of: old, with: new)
      let difference = CatalogueDifference(from: try Self.catalogue(), to: try Self.catalogue(other))
      #expect(difference.lost.map(\.name) == ["GuestWrote"])
      for (count, isAll, words) in [
        (1, true, " 1 stored schedule of it sends nothing until it is back or they are put anew."),
        (3, false, " At least 3 stored schedules of it send nothing until it is back or they are put anew."),
        (0, true, ""),
      ] {
        let said = difference.changes(counting: [], [.init(count: count, isAll: isAll)])
        let plain = try #require(difference.changes.first { $0.kind == kind })
        #expect(said.first { $0.kind == kind }?.text == plain.text + words)
      }
    }
    let recased = Self.file.replacingOccurrences(of: "name: GuestWrote", with: "name: guestWrote")
    #expect(CatalogueDifference(from: try Self.catalogue(), to: try Self.catalogue(recased)).lost.isEmpty)
  }

  @Test func `of a new type it is said that another had its code`() throws {
    let other = Self.file.replacingOccurrences(
      of: "events:\n",
      with:
        "- { code: 904, name: SunIsOut, category: Garden }\n- { code: 905, name: SnowIsOut, category: Garden }\nevents:\n"
    )
    var difference = CatalogueDifference(from: try Self.catalogue(), to: try Self.catalogue(other))
    #expect(difference.added == [904: "SunIsOut", 905: "SnowIsOut"])
    let before = difference.changes
    difference.note([
      .init(code: 904, name: "CatIsOut", goneSince: 5), .init(code: 904, name: "DogIsOut", goneSince: 3),
      .init(code: 905, name: "snowIsOut", goneSince: 4), .init(code: 900, name: "Lunch", goneSince: 2),
    ])
    #expect(
      Array(difference.changes.dropFirst(before.count)) == [
        CatalogueChange(
          kind: .codeReused,
          name: "SunIsOut",
          text:
            "Type 904 SunIsOut has the code that CatIsOut had until version 5. What still waits, was sent or chosen under 904 becomes SunIsOut's: take another code, unless that is meant."
        )
      ]
    )
  }

  @Test func `of very many changes the last says how many there are beside`() throws {
    let types = (0..<1_500).map { "- { code: \(1_000 + $0), name: T\($0), category: Garden }\n" }.joined()
    let other = Self.file.replacingOccurrences(of: "events:\n", with: types + "events:\n")
    let changes = CatalogueDifference(from: try Self.catalogue(), to: try Self.catalogue(other)).changes(counting: [])
    #expect(changes.count == CatalogueDifference.maximumCount)
    #expect(changes.last == CatalogueChange(kind: .otherChanged, name: "", text: "There are 501 changes beside these."))
  }
}
