import Foundation

/// Gathers what is wrong with a request while its body is built: all of it, by the paths that the gateway uses too.
struct FieldChecks {
  private(set) var errors: [FieldError] = []

  /// As the gateway reports at most.
  private static let maximumErrors = 100

  mutating func problem(_ field: String, _ message: String) {
    guard errors.count < Self.maximumErrors else { return }
    errors.append(FieldError(field, message))
  }

  /// A text of at most `limit` characters, and four bytes for each, without control characters.
  mutating func text(_ text: String, _ field: String, limit: Int, allowsLineBreaks: Bool = false) -> JSONNode {
    if text.utf8.count > 4 * limit {
      problem(field, "has \(text.utf8.count) bytes; at most \(4 * limit) are allowed")
    } else if text.count > limit {
      problem(field, "has \(text.count) characters; at most \(limit) are allowed")
    }
    let allowed: Set<Unicode.Scalar> = allowsLineBreaks ? ["\n", "\r", "\t"] : []
    if text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control && !allowed.contains($0) }) {
      problem(field, "must not contain control characters")
    }
    return .text(text)
  }

  /// As ``text(_:_:limit:allowsLineBreaks:)``, and not empty.
  mutating func name(_ text: String, _ field: String, limit: Int) -> JSONNode {
    if text.isEmpty { problem(field, "must not be empty") }
    return self.text(text, field, limit: limit)
  }

  /// A key of 1 to `limit` visible ASCII characters.
  mutating func key(_ text: String, _ field: String, limit: Int) -> JSONNode {
    if !(1...limit).contains(text.utf8.count) || !text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) {
      problem(field, "expected 1 to \(limit) visible ASCII characters")
    }
    return .text(text)
  }

  /// Ids of users.
  mutating func users(_ ids: [String], _ field: String, _ allowed: ClosedRange<Int>) -> JSONNode {
    if !allowed.contains(ids.count) {
      problem(field, "has \(ids.count) entries; \(allowed.lowerBound) to \(allowed.upperBound) are allowed")
    }
    return .list(
      ids.prefix(allowed.upperBound + 1).enumerated().map { index, id in
        if id == "." || id == ".." { problem("\(field)[\(index)]", "must not be . or ..") }
        return name(id, "\(field)[\(index)]", limit: 128)
      }
    )
  }
}

/// A request of which a body can be made.
protocol CheckedRequest {
  /// Of the body, in bytes.
  static var maximumBody: Int { get }

  /// The body, and into `checks` what is wrong with it.
  func node(_ checks: inout FieldChecks) -> JSONNode
}

extension CheckedRequest {
  /// The only way to a body.
  ///
  /// - Throws: ``SenderError`` with the code `invalid`, which names every field that is wrong.
  func body() throws(SenderError) -> Data {
    var checks = FieldChecks()
    let node = node(&checks)
    guard checks.errors.isEmpty else { throw SenderError(checks.errors) }
    return try node.body(maximum: Self.maximumBody)
  }
}

extension JSONNode {
  /// - Throws: ``SenderError`` with the code `invalid`.
  func body(maximum: Int) throws(SenderError) -> Data {
    let body: Data
    do {
      body = try SenderJSON.encode(self)
    } catch {
      throw SenderError([FieldError("", "cannot be written as JSON")])
    }
    guard body.count <= maximum else {
      throw SenderError([FieldError("", "has \(body.count) bytes; at most \(maximum) are allowed")])
    }
    return body
  }
}
