import Foundation
import NotificationModel
import Testing

@Suite struct UnsubscribeKeysTests {
  private let now = Date(timeIntervalSince1970: 1_800_000_000)
  private let keys = UnsubscribeKeys([String(repeating: "a", count: 32)])
  private let link: UnsubscribeLink

  init() {
    link = UnsubscribeLink(
      user: UserID(UUID()),
      category: "Balance & Größe",
      issuedAt: Date(timeIntervalSince1970: 1_790_000_000.7),
      expiry: Date(timeIntervalSince1970: 1_805_000_000.7)
    )
  }

  private func link(of bytes: Int) -> UnsubscribeLink {
    UnsubscribeLink(user: link.user, category: String(repeating: "c", count: bytes), issuedAt: now, expiry: now)
  }

  @Test func `a link comes back as it was, until its end, and says later whose it was`() throws {
    let text = try #require(keys.text(of: link))
    #expect(keys.text(of: link) == text, "the same at each attempt")
    #expect(text.utf8.allSatisfy { $0 < 0x80 } && !text.contains { "+/=".contains($0) })
    #expect(keys.read(text, at: now) == .valid(link))
    #expect(keys.read(text, at: now + 5_000_000) == .valid(link))
    #expect(keys.read(text, at: now + 5_000_001) == .expired(link))
    #expect(link.issuedAt == now - 10_000_000 && link.expiry == now + 5_000_000)
  }

  @Test func `no changed character, other secret or other text is one`() throws {
    let text = try #require(keys.text(of: link))
    for index in text.indices {
      var changed = text
      changed.replaceSubrange(index...index, with: text[index] == "A" ? "B" : "A")
      #expect(keys.read(changed, at: now) == nil)
    }
    #expect(UnsubscribeKeys([String(repeating: "b", count: 32)]).read(text, at: now) == nil)
    #expect(UnsubscribeKeys.none.read(text, at: now) == nil)
    for other in [
      "", "A", text + "A", String(text.dropLast()), String(repeating: "A", count: 60), "é\(text.dropLast())",
      String(repeating: "A", count: 10_000),
    ] {
      #expect(keys.read(other, at: now) == nil)
    }
  }

  @Test func `a receipt that the same secret has signed is no link`() throws {
    let receipt = DeliveryReceipt(
      user: link.user,
      notification: NotificationID(UUID()),
      device: DeviceID(UUID()),
      expiry: now + 60
    )
    let text = try #require(ReceiptKeys([String(repeating: "a", count: 32)]).text(of: receipt))
    #expect(keys.read(text, at: now) == nil)
  }

  @Test func `the first secret signs, all are recognised, and without one there are no links`() throws {
    let rotated = UnsubscribeKeys([String(repeating: "b", count: 32), String(repeating: "a", count: 32)])
    let text = try #require(keys.text(of: link))
    #expect(rotated.read(text, at: now) == .valid(link))
    let new = try #require(rotated.text(of: link))
    #expect(new != text && keys.read(new, at: now) == nil)
    #expect(UnsubscribeKeys.none.text(of: link) == nil && UnsubscribeKeys.none.isEmpty)
  }

  @Test(arguments: [(1, 56), (256, 396)])
  func `every name of a category has room`(_ bytes: Int, _ characters: Int) throws {
    let link = self.link(of: bytes)
    let text = try #require(keys.text(of: link))
    #expect(text.utf8.count == characters)
    #expect(keys.read(text, at: now) == .valid(link))
  }

  @Test(arguments: [0, 257])
  func `what is no category's name has no link`(_ bytes: Int) {
    let link = self.link(of: bytes)
    #expect(keys.text(of: link) == nil)
  }

  @Test func `neither description nor mirror has a secret`() {
    var dumped = ""
    dump(keys, to: &dumped)
    #expect(!"\(keys)".contains("aaaa") && !dumped.contains("aaaa"))
  }
}
