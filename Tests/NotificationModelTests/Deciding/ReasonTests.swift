import Testing

@testable import NotificationModel

@Suite struct ReasonTests {
  @Test func `codes never change meaning`() {
    #expect(
      SkipReason.allCases.map(\.name) == [
        "channelNotRequested", "preferenceOff", "notificationsOff", "noActiveDevice", "noEmailAddress",
        "emailSuppressed",
        "expired", "viewing", "muted", "quietHours", "throttled", "read", "deleted", "cancelled", "noProvider",
        "paused", "composed", "textTooLong",
      ]
    )
    #expect(HoldReason.allCases.map(\.name) == ["quietHours", "paused", "digest", "throttled", "unread", "sendAt"])
    let skips: [SkipReason] =
      [.muted, .quietHours, .throttled, .read, .deleted, .cancelled, .noProvider, .paused, .composed, .textTooLong]
    #expect(skips.map(\.rawValue) == Array(9...17) + [21])
    #expect(InboxState.allCases.map(\.rawValue) == [0, 13, 18, 19, 20])
    #expect(InboxState.allCases.map(\.name) == ["inbox", "deleted", "archived", "snoozed", "withdrawn"])
    #expect(InboxState.kept.map(\.rawValue) == [0, 18, 19])
    #expect(HoldReason.sendAt.rawValue == 6)
  }

  @Test func `a suppression's codes and names never change meaning`() {
    #expect(SuppressionReason.allCases.map(\.name) == ["hardBounce", "manual", "complaint"])
    #expect(SuppressionReason.allCases.map(\.rawValue) == [1, 2, 3])
    #expect(SuppressionReason.allCases.map(\.stopsAll) == [true, true, false])
    for reason in SuppressionReason.allCases { #expect(SuppressionReason(name: reason.name) == reason) }
    #expect(SuppressionReason(name: "hardbounce") == nil)
    #expect(SuppressionReason(rawValue: 77).name == "77" && SuppressionReason(rawValue: 77).stopsAll)
  }

  @Test(arguments: [
    ("Ann@EXAMPLE.Org", "Ann@example.org"), ("ann@example.org", "ann@example.org"), ("a@b@C.D", "a@b@c.d"),
    ("nobody", "nobody"), ("", ""), ("\u{130}@\u{130}X", "\u{130}@\u{130}x"),
  ])
  func `an address is known by its domain without regard to case`(_ text: String, _ canonical: String) {
    #expect(MailAddress.canonical(text) == canonical)
    #expect(MailAddress.canonical(canonical) == canonical)
  }

  @Test func `what left the inbox has no code that says why something never came in`() {
    let states = InboxState.allCases.filter { $0 != .inbox && $0 != .deleted }
    #expect(Set(states.map(\.rawValue)).isDisjoint(with: SkipReason.allCases.map(\.rawValue)))
    // What was deleted after it was in the inbox, and what was deleted while another channel waited.
    #expect(InboxState.deleted.rawValue == SkipReason.deleted.rawValue)
    #expect(InboxState.deleted.name == SkipReason.deleted.name)
  }

  @Test func `every reason has words, and one of another version its code`() {
    #expect(Set(SkipReason.allCases.map(\.words)).count == SkipReason.allCases.count)
    #expect(Set(InboxState.allCases.map(\.words)).count == InboxState.allCases.count)
    #expect(Set(HoldReason.allCases.map(\.words)).count == HoldReason.allCases.count)
    #expect(SkipReason(rawValue: 77).words == "reason 77")
    #expect(HoldReason(rawValue: 77).words == "reason 77")
  }

  @Test func `choices are kept channel by channel`() {
    var choices = ChannelChoices(inApp: true, email: false)
    #expect(choices.channels == [.inApp, .email])
    #expect(choices[.push] == nil && choices[.inApp] == true && choices[.email] == false)
    choices[.inApp] = nil
    #expect(choices == ChannelChoices(email: false))
    #expect(choices.filled(with: ChannelChoices(push: true, email: true)) == ChannelChoices(push: true, email: false))
    // A code that has no place has no choice, and disturbs none.
    choices[Channel(rawValue: 64)] = true
    choices[Channel(rawValue: -1)] = true
    #expect(choices == ChannelChoices(email: false))
    #expect(choices[Channel(rawValue: 64)] == nil)
    choices[.email] = nil
    #expect(choices.isEmpty)
  }
}
