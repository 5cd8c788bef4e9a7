import NotificationModel
import Testing

@testable import NotificationStore

/// That the statements which take these do what they say, of channels with a column and without, is for the stores' tests.
@Suite struct DecisionColumnsTests {
  private static let further = Channel(rawValue: 4)

  @Test func `each channel of this version has a place`() {
    #expect(DecisionColumns.code(of: .push, in: "n") == "n.push")
    #expect(DecisionColumns.code(of: Self.further, in: "n") == "(n.decisions -> '4' ->> 'code')::int2")
    #expect(
      DecisionColumns.code(on: "h.channel", of: "n")
        == "CASE h.channel WHEN 1 THEN n.in_app WHEN 2 THEN n.push WHEN 3 THEN n.email "
        + "ELSE (n.decisions -> h.channel::text ->> 'code')::int2 END"
    )
    #expect(DecisionColumns.name(of: Self.further) == nil)
  }

  @Test func `the inbox neither waits nor is decided anew`() {
    #expect(DecisionColumns.waits("n") == "(n.push < 0 OR n.email < 0 OR n.decisions @? '$.* ? (@.code < 0)')")
    #expect(DecisionColumns.assignments(to: "n") { "-\($0)" } == "push = -n.push, email = -n.email")
  }
}
