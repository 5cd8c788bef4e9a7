import Testing

@testable import NotificationModel

@Suite struct PreferenceRowsTests {
  /// Allowance is 10, 11 and 12: in-app and push are on, email is off.
  private static func catalogue() throws -> [NotificationType] { try Catalogue().types }

  private func setting(_ rows: PreferenceRows, _ requested: PreferenceRows) throws -> PreferenceRows {
    rows.setting(requested, in: try Self.catalogue())
  }

  private static let defaults = ChannelChoices(inApp: true, push: true, email: false)

  @Test func `what would hold anyway is not stored`() throws {
    #expect(try setting(PreferenceRows(), PreferenceRows(types: [10: Self.defaults])) == PreferenceRows())
    #expect(try setting(PreferenceRows(), PreferenceRows(categories: ["Allowance": Self.defaults])) == PreferenceRows())
    let off = try setting(
      PreferenceRows(),
      PreferenceRows(types: [10: ChannelChoices(inApp: true, push: false, email: false)])
    )
    #expect(off == PreferenceRows(types: [10: ChannelChoices(push: false)]))
    #expect(try setting(off, PreferenceRows(types: [10: Self.defaults])) == PreferenceRows())
  }

  @Test func `setting a category clears its types' own rows`() throws {
    let rows = PreferenceRows(types: [10: ChannelChoices(push: true, email: true), 20: ChannelChoices(push: false)])
    let off = PreferenceRows(categories: ["Allowance": ChannelChoices(push: false)])
    let expected = PreferenceRows(
      types: [10: ChannelChoices(email: true), 20: ChannelChoices(push: false)],
      categories: ["Allowance": ChannelChoices(push: false)]
    )
    #expect(try setting(rows, off) == expected)
    // Named by itself it is a choice even where the category was shown so.
    let on = try setting(
      PreferenceRows(types: [10: ChannelChoices(push: false)]),
      PreferenceRows(categories: ["Allowance": ChannelChoices(push: true)])
    )
    #expect(on == PreferenceRows())
  }

  @Test func `a type may differ from its category, in the same request too`() throws {
    let requested = PreferenceRows(
      types: [10: ChannelChoices(push: true), 11: ChannelChoices(push: false)],
      categories: ["Allowance": ChannelChoices(push: false)]
    )
    // 10 was shown on and put back: it follows its category.
    let rows = try setting(PreferenceRows(), requested)
    #expect(rows == PreferenceRows(categories: ["Allowance": ChannelChoices(push: false)]))
    let again = try setting(rows, PreferenceRows(types: [10: ChannelChoices(push: true)]))
    #expect(again == PreferenceRows(types: [10: ChannelChoices(push: true)], categories: rows.categories))
  }

  @Test func `a category is shown on where any of its types is, and says where they differ`() throws {
    let catalogue = try Self.catalogue()
    func shown(_ rows: PreferenceRows) -> (choices: ChannelChoices, mixed: [Channel]) {
      rows.shown(category: "Allowance", among: catalogue)
    }
    let mails = shown(PreferenceRows(types: [10: ChannelChoices(email: true)]))
    #expect(mails.choices == ChannelChoices(inApp: true, push: true, email: true) && mails.mixed == [.email])
    // Whatever was chosen for the category itself.
    let off = ["Allowance": ChannelChoices(push: false)]
    let own = shown(PreferenceRows(types: [10: ChannelChoices(push: true)], categories: off))
    #expect(own.choices == Self.defaults && own.mixed == [.push])
    let none = shown(PreferenceRows(categories: off))
    #expect(none.choices == ChannelChoices(inApp: true, push: false, email: false) && none.mixed == [])
    // Switched off among the whole list, it is off for all of them.
    let rows = PreferenceRows(types: [10: ChannelChoices(email: true)])
    var list = PreferenceRows(categories: ["Allowance": Self.defaults])
    for type in catalogue { list.types[type.code] = rows.effective(type) }
    #expect(shown(rows.setting(list, in: catalogue)).choices == Self.defaults)
  }

  @Test func `what the catalogue does not have is left out`() throws {
    let requested = PreferenceRows(
      types: [31_999: ChannelChoices(push: false)],
      categories: ["None": ChannelChoices(push: false)]
    )
    #expect(try setting(PreferenceRows(), requested) == PreferenceRows())
  }

  @Test func `who puts back the whole list freezes nothing`() throws {
    let catalogue = try Self.catalogue()
    var dice = SampleDice(seed: 13)
    for _ in 0..<200 {
      var rows = PreferenceRows()
      for type in catalogue where dice.chance(30) { rows.types[type.code] = dice.choices() }
      for type in catalogue where dice.chance(20) { rows.categories[type.category] = dice.choices() }
      var shown = PreferenceRows()
      for type in catalogue {
        shown.types[type.code] = rows.effective(type)
        shown.categories[type.category] = rows.shown(category: type.category, among: catalogue).choices
      }
      let after = rows.setting(shown, in: catalogue)
      for type in catalogue {
        #expect(after.effective(type) == rows.effective(type))
        // Nothing new is chosen; what would hold anyway is dropped.
        let own = after.types[type.code] ?? ChannelChoices()
        #expect(own.channels.allSatisfy { own[$0] == rows.types[type.code]?[$0] && own[$0] != after.base(type)[$0] })
      }
      #expect(after.categories == rows.categories)
      #expect(after.setting(shown, in: catalogue) == after)
    }
  }

  @Test func `after a request, what it chose holds`() throws {
    let catalogue = try Self.catalogue()
    var dice = SampleDice(seed: 17)
    for _ in 0..<300 {
      var rows = PreferenceRows()
      for type in catalogue where dice.chance(30) { rows.types[type.code] = dice.choices() }
      let type = try #require(catalogue.randomElement(using: &dice))
      let choices = dice.choices()
      let byType = rows.setting(PreferenceRows(types: [type.code: choices]), in: catalogue)
      #expect(byType.effective(type) == choices.filled(with: rows.effective(type)))
      let byCategory = rows.setting(PreferenceRows(categories: [type.category: choices]), in: catalogue)
      for member in catalogue {
        let expected =
          member.category == type.category ? choices.filled(with: rows.effective(member)) : rows.effective(member)
        #expect(byCategory.effective(member) == expected)
      }
    }
  }

  @Test func `a change writes and deletes whole rows, and only those that differ`() {
    let push = ChannelChoices(push: false)
    let former = PreferenceRows(types: [1: push, 2: push, 3: push], categories: ["A": push])
    let rows = PreferenceRows(types: [1: push, 2: ChannelChoices(email: true)], categories: ["B": push])
    let change = PreferenceChange(from: former, to: rows)
    #expect(change.written == PreferenceRows(types: [2: ChannelChoices(email: true)], categories: ["B": push]))
    #expect(change.deletedTypes == [3])
    #expect(change.deletedCategories == ["A"])
    #expect(PreferenceChange(from: former, to: former).isEmpty)
  }
}
