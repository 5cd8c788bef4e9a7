import Foundation
import NotificationModel

/// What registrations of devices have in common.
extension FieldReader {
  /// `installationId`: the app's own UUID, by which its addresses with several providers are known as one app; nil if absent.
  func installation() -> UUID? {
    guard let text = optional("installationId", String.self, expected: "a UUID") else { return nil }
    let id = DeviceID(text)
    if id == nil { problem("installationId", "expected a UUID") }
    return id?.uuid
  }
}
