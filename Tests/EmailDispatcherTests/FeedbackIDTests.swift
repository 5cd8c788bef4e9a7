import Testing

@testable import EmailDispatcher

@Suite struct FeedbackIDTests {
  @Test(arguments: [
    ("OrderShipped", "OrderShipped"), ("Order was shipped", "Order-was-shipped"), ("v1.2_x", "v1.2_x"),
  ])
  func `a name keeps its letters and digits, and nothing that would make another part`(_ name: String, _ part: String) {
    #expect(FeedbackID.part(name) == part)
  }

  @Test func `names that lose letters stay different, and are the same in every process`() {
    let names = [
      "Gr\u{FC}\u{DF}e", "Gr\u{E4}\u{DF}e", "\u{901A}\u{77E5}", "\u{6D88}\u{606F}", "\u{1F514}", "", "::",
      "A B", "A-B", "A&B", "A & B", "A  B", " A B", "A B ", "A:B", "A B!", "AB", "A_B",
    ]
    let parts = names.map(FeedbackID.part)
    #expect(Set(parts).count == names.count)
    #expect(parts[0].hasPrefix("Gr-e-") && parts[2].hasPrefix("x-") && parts[7] == "A-B" && parts[8].hasPrefix("A-B-"))
    #expect(parts == names.map(FeedbackID.part))
    #expect(parts.allSatisfy { !$0.isEmpty && !$0.contains(":") && $0.utf8.allSatisfy { $0 < 0x80 } })
  }

  @Test func `a long name is cut, and another one with the same beginning is another`() {
    let (one, other) = (String(repeating: "a", count: 64), String(repeating: "a", count: 63) + "b")
    #expect(FeedbackID.part(one).utf8.count <= 49)
    #expect(FeedbackID.part(one) != FeedbackID.part(other))
  }

  @Test(arguments: ["shop1", "example-shop.15"]) func `a sender has 5 to 15 characters`(_ text: String) {
    #expect(FeedbackID.isSender(text))
  }

  @Test(arguments: ["", "shop", "example-shop.150", "my shop", "a:b:c", "sh\u{F6}p1"])
  func `what is no sender`(_ text: String) {
    #expect(!FeedbackID.isSender(text))
  }
}
