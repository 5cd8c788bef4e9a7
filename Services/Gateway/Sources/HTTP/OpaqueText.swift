import Foundation

/// How a place in a list travels: opaque to callers, and safe in a query.
enum OpaqueText {
  static func encoded(_ plain: String) -> String {
    Data(plain.utf8).base64EncodedString()
      .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  /// Nil for a text that no answer gave.
  static func decoded(_ text: String) -> String? {
    let base64 = text.replacing("-", with: "+").replacing("_", with: "/")
    let padding = String(repeating: "=", count: (4 - base64.count % 4) % 4)
    guard let data = Data(base64Encoded: base64 + padding) else { return nil }
    return String(validating: data, as: UTF8.self)
  }
}
