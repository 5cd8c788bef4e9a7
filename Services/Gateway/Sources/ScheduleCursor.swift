import Foundation
import NotificationModel
import NotificationStore

/// How a place in the list of everybody's schedules travels: opaque to callers, and safe in a query.
extension ScheduleStore.Cursor {
  /// Nil for a text that no answer gave.
  init?(text: String) {
    let base64 = text.replacing("-", with: "+").replacing("_", with: "/")
    let padding = String(repeating: "=", count: (4 - base64.count % 4) % 4)
    guard let data = Data(base64Encoded: base64 + padding), let plain = String(validating: data, as: UTF8.self) else {
      return nil
    }
    // Neither has a control character.
    let parts = plain.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, !parts.contains(where: { $0.hasControl() }) else { return nil }
    self.init(owner: parts[0], key: parts[1])
  }

  var text: String {
    Data("\(owner)\n\(key)".utf8).base64EncodedString()
      .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }
}
