import Foundation
import NotificationModel
import NotificationQueue
import Settings
import Testing

/// Secrets that sign, as they are set: the first one signs, all are recognised.
@Suite struct SecretsTests {
  private static let old = String(repeating: "a", count: 32)
  private static let new = String(repeating: "b", count: 32)
  private let now = Date(timeIntervalSince1970: 1_800_000_000)
  private let user = UserID(UUID())
  private let notification = NotificationID(UUID())

  /// Reads as a service does, and stops as it does.
  private func read<Value>(_ key: String, _ text: String, _ read: (Settings) -> Value) throws -> Value {
    let settings = Settings(variables: ["BELFRY_\(key)": text])
    let value = read(settings)
    try settings.validate()
    return value
  }

  @Test(arguments: ["\(new),\(old)", "\(new), \(old)", " \(new) ,\t\(old) ", "\(new), ,\(old),"])
  func `blanks around a secret are not part of it, so what the former one signed holds`(_ text: String) throws {
    let link = UnsubscribeLink(user: user, category: "Offers", notificationCreatedAt: now, composedAt: now)
    let signedLink = try #require(UnsubscribeKeys([Self.old]).text(of: link))
    let keys = try read("UNSUBSCRIBE_KEYS", text) { UnsubscribeKeys($0) }
    #expect(keys.read(signedLink, at: now) == .valid(link))
    #expect(keys.text(of: link) == UnsubscribeKeys([Self.new]).text(of: link))

    let receipt = DeliveryReceipt(
      user: user,
      notification: notification,
      device: DeviceID(UUID()),
      notificationExpiry: now
    )
    let signedReceipt = try #require(ReceiptKeys([Self.old]).text(of: receipt))
    let receipts = try read("RECEIPTS_KEYS", text) { ReceiptKeys($0) }
    #expect(receipts.receipt(signedReceipt, at: now) == receipt)

    let path = try #require(ReturnPath("bounces@bounces.example.com", secrets: [Self.old]))
    let address = try #require(path.address(for: user, notification))
    let returnPath = try read("EMAIL_RETURN_PATH_KEYS", text) { ReturnPath(reading: $0) }
    #expect(returnPath.read(address)?.notification == notification)
  }

  @Test func `blanks do not make a secret long enough`() {
    let short = String(repeating: "a", count: 31)
    for (key, isRead) in [
      ("UNSUBSCRIBE_KEYS", { UnsubscribeKeys($0).isEmpty }), ("RECEIPTS_KEYS", { ReceiptKeys($0).isEmpty }),
      ("EMAIL_RETURN_PATH_KEYS", { ReturnPath.secrets($0).isEmpty }),
    ] as [(String, (Settings) -> Bool)] {
      let error = #expect(throws: StartError.self) { _ = try read(key, "\(Self.new), \(short)", isRead) }
      #expect(error?.description.contains("BELFRY_\(key): each secret has at least 32 bytes") == true)
    }
  }
}
