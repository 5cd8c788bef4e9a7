import Testing

@testable import NotificationModel

/// What unsubscribing by a link makes of choices, and taking it back.
@Suite struct UnsubscribedRowsTests {
  /// Allowance is 10, 11 and 12: in-app and push are on, email is off.
  private static func catalogue() throws -> [NotificationType] { try Catalogue().types }

  private func unsubscribe(_ rows: inout PreferenceRows, _ category: String = "Allowance") throws -> FormerChoices? {
    rows.unsubscribe(from: category, on: .email, among: try Self.catalogue())
  }

  private func isOn(_ rows: PreferenceRows, _ category: String = "Allowance") throws -> Bool {
    rows.isOn(category, on: .email, among: try Self.catalogue())
  }

  @Test func `a category is off with all its types, and other channels and categories stay`() throws {
    let before = PreferenceRows(
      types: [
        10: ChannelChoices(push: false, email: true), 11: ChannelChoices(email: false), 20: ChannelChoices(email: true),
      ],
      categories: ["Allowance": ChannelChoices(inApp: false, email: true), "Tasks": ChannelChoices(email: true)]
    )
    var rows = before
    #expect(try isOn(rows))
    let former = try #require(try unsubscribe(&rows))
    #expect(former == FormerChoices(category: true, types: [10: true, 11: false]))
    #expect(
      rows
        == PreferenceRows(
          types: [10: ChannelChoices(push: false), 20: ChannelChoices(email: true)],
          categories: [
            "Allowance": ChannelChoices(inApp: false, email: false), "Tasks": ChannelChoices(email: true),
          ]
        )
    )
    #expect(try isOn(rows) == false)
    #expect(try unsubscribe(&rows) == nil, "the second time nothing changes")
    rows.resubscribe(to: "Allowance", on: .email, as: former)
    #expect(rows == before)
  }

  @Test func `off is a choice also where the catalogue has it off, or does not know the category`() throws {
    for category in ["Allowance", "Gone"] {
      var rows = PreferenceRows()
      #expect(try isOn(rows, category) == (category == "Gone"))
      let former = try #require(try unsubscribe(&rows, category))
      #expect(former == FormerChoices())
      #expect(rows == PreferenceRows(categories: [category: ChannelChoices(email: false)]))
      #expect(try isOn(rows, category) == false)
      rows.resubscribe(to: category, on: .email, as: former)
      #expect(rows == PreferenceRows())
    }
  }

  @Test func `a type that is on by itself counts, where its category is off`() throws {
    let before = PreferenceRows(
      types: [10: ChannelChoices(email: true)],
      categories: ["Allowance": ChannelChoices(email: false)]
    )
    var rows = before
    let former = try #require(try unsubscribe(&rows))
    #expect(rows == PreferenceRows(categories: ["Allowance": ChannelChoices(email: false)]))
    rows.resubscribe(to: "Allowance", on: .email, as: former)
    #expect(rows == before)
  }

  @Test func `what was chosen since is not taken back`() throws {
    var rows = PreferenceRows(
      types: [11: ChannelChoices(email: true)],
      categories: ["Allowance": ChannelChoices(email: true)]
    )
    let former = try #require(try unsubscribe(&rows))
    rows.types[11] = ChannelChoices(email: false)
    rows.categories["Allowance"] = nil
    rows.resubscribe(to: "Allowance", on: .email, as: former)
    #expect(rows == PreferenceRows(types: [11: ChannelChoices(email: false)]))
  }
}
