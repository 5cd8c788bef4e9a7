import BelfryClient
import BelfryClientTesting
import BelfryJSON
import Foundation

/// The id of the notification with this number: a later one has a greater id.
func notificationID(_ number: Int) -> UUID {
  let number = UInt64(number)
  func byte(_ shift: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: number >> shift) }
  return UUID(
    uuid: (
      1, 0xA1, byte(56), byte(48), byte(40), byte(32), 0x70, byte(24), 0x80, byte(16), byte(8), byte(0), 0, 0, 0, 1
    )
  )
}

/// A notification with this `seq`.
func notification(
  _ number: Int,
  isRead: Bool = false,
  archivedAt: Date? = nil,
  type: Int = 10,
  category: String = "Allowance"
) -> BelfryNotification {
  BelfryNotification(
    id: notificationID(number),
    seq: Int64(number),
    type: type,
    typeName: "AllowanceDeposit",
    category: category,
    title: "Title \(number)",
    body: "Body \(number)",
    createdAt: Date(timeIntervalSince1970: 1_800_000_000 + Double(number)),
    isRead: isRead,
    archivedAt: archivedAt
  )
}

extension BelfryNotification {
  /// As the server writes it.
  var text: String { JSONWriter.text(json(now: nil)) }
}
