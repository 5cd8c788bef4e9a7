import Foundation
import NotificationModel
import Testing

@Suite struct ReceiptKeysTests {
  private let now = Date(timeIntervalSince1970: 1_800_000_000)
  private let keys = ReceiptKeys([String(repeating: "a", count: 32)])
  private let receipt: DeliveryReceipt

  init() {
    receipt = DeliveryReceipt(
      user: UserID(UUID()),
      notification: NotificationID(UUID()),
      device: DeviceID(UUID()),
      notificationExpiry: Date(timeIntervalSince1970: 1_800_000_000.7)
    )
  }

  @Test func `a receipt comes back as it was, until a week after its notification`() throws {
    let text = try #require(keys.text(of: receipt))
    #expect(text.utf8.count == 92)
    #expect(keys.text(of: receipt) == text, "the same at each attempt")
    #expect(keys.receipt(text, at: now) == receipt)
    #expect(keys.receipt(text, at: now + 7 * 86_400) == receipt)
    #expect(keys.receipt(text, at: now + 7 * 86_400 + 1) == nil)
  }

  @Test func `no changed character, other secret or other text is one`() throws {
    let text = try #require(keys.text(of: receipt))
    for index in text.indices {
      var changed = text
      changed.replaceSubrange(index...index, with: text[index] == "A" ? "B" : "A")
      #expect(keys.receipt(changed, at: now) == nil)
    }
    #expect(ReceiptKeys([String(repeating: "b", count: 32)]).receipt(text, at: now) == nil)
    #expect(ReceiptKeys.none.receipt(text, at: now) == nil)
    for other in [
      "", "A", text + "A", String(text.dropLast()), String(repeating: "A", count: 92), "é\(text.dropLast())",
    ] {
      #expect(keys.receipt(other, at: now) == nil)
    }
  }

  @Test func `the first secret signs, all are recognised, and without one there are no receipts`() throws {
    let rotated = ReceiptKeys([String(repeating: "b", count: 32), String(repeating: "a", count: 32)])
    let text = try #require(keys.text(of: receipt))
    #expect(rotated.receipt(text, at: now) == receipt)
    let new = try #require(rotated.text(of: receipt))
    #expect(new != text && keys.receipt(new, at: now) == nil)
    #expect(ReceiptKeys.none.text(of: receipt) == nil)
  }

  @Test func `neither description nor mirror has a secret`() {
    var dumped = ""
    dump(keys, to: &dumped)
    #expect(!"\(keys)".contains("aaaa") && !dumped.contains("aaaa"))
  }
}
