import Foundation
import HTTPTypes
import Hummingbird

/// What a form of a link to unsubscribe asks for: a mailbox's one-click form (RFC 8058), or one of the page's.
enum UnsubscribeForm {
  case unsubscribe, takesBack

  /// What a mailbox sends.
  static let oneClick = (name: "List-Unsubscribe", value: "One-Click")
  static let takeBack = (name: "take-back", value: "yes")

  /// Bytes of a form.
  static let maximumBody = 4_096
  /// Of a multipart form (RFC 2046).
  private static let maximumBoundary = 70

  /// Reads `multipart/form-data` and `application/x-www-form-urlencoded`; a body without a Content-Type is taken for the latter.
  static func read(of request: Request) async throws -> UnsubscribeForm {
    let bytes = try await RequestBody.untyped(of: request, maximum: maximumBody)
    return try read(bytes, contentType: request.headers[.contentType])
  }

  /// - Throws: 415 for another type; 400 naming the field for a form that asks for neither.
  static func read(_ bytes: [UInt8], contentType: String?) throws(Problem) -> UnsubscribeForm {
    let type = contentType?.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
    let fields =
      switch type {
      case nil, "application/x-www-form-urlencoded": urlEncoded(bytes)
      case "multipart/form-data": try multipart(bytes, boundary: boundary(contentType ?? ""))
      default: throw .unsupportedForm
      }
    // Who asks for both wants no mails.
    if fields.contains(where: { has($0, oneClick) }) { return .unsubscribe }
    if fields.contains(where: { has($0, takeBack) }) { return .takesBack }
    throw .invalid(oneClick.name, "expected \(oneClick.value)")
  }

  private static func has(_ field: (name: String, value: String), _ wanted: (name: String, value: String)) -> Bool {
    field.name.lowercased() == wanted.name.lowercased()
      && field.value.trimmingCharacters(in: .whitespacesAndNewlines).lowercased() == wanted.value.lowercased()
  }

  private static func urlEncoded(_ bytes: [UInt8]) -> [(name: String, value: String)] {
    String(decoding: bytes, as: UTF8.self).split(separator: "&").map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { part in
        let text = part.replacing("+", with: " ")
        return text.removingPercentEncoding ?? String(text)
      }
      return (parts.first ?? "", parts.count > 1 ? parts[1] : "")
    }
  }

  private static func boundary(_ contentType: String) -> String? {
    for parameter in contentType.split(separator: ";").dropFirst() {
      let parts = parameter.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
      guard parts.count == 2, parts[0].lowercased() == "boundary" else { continue }
      let value = parts[1].hasPrefix("\"") ? parts[1].dropFirst().prefix { $0 != "\"" } : Substring(parts[1])
      return 1...maximumBoundary ~= value.utf8.count ? String(value) : nil
    }
    return nil
  }

  /// Lines may end in LF alone. What is no part of a form is passed over.
  private static func multipart(_ bytes: [UInt8], boundary: String?) throws(Problem) -> [(name: String, value: String)]
  {
    guard let boundary else { throw .unsupportedForm }
    // A Character of Swift's would be both, CR and LF.
    let text = String(decoding: bytes.filter { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
    var fields: [(name: String, value: String)] = []
    for part in text.components(separatedBy: "--\(boundary)").dropFirst() {
      if part.hasPrefix("--") { break }
      guard let end = part.firstRange(of: "\n\n"), let name = fieldName(part[..<end.lowerBound]) else { continue }
      fields.append((name, String(part[end.upperBound...])))
    }
    return fields
  }

  private static func fieldName(_ header: Substring) -> String? {
    for line in header.split(separator: "\n") where line.lowercased().hasPrefix("content-disposition:") {
      for parameter in line.split(separator: ";").dropFirst() {
        let parts = parameter.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
        guard parts.count == 2, parts[0].lowercased() == "name" else { continue }
        return parts[1].trimmingCharacters(in: CharacterSet(charactersIn: "\""))
      }
    }
    return nil
  }
}

extension Problem {
  /// 415.
  fileprivate static let unsupportedForm = Problem(
    .unsupportedMediaType,
    .unsupportedMediaType,
    "The body is not of a type that is read here",
    detail: "send a form as multipart/form-data with its boundary, or as application/x-www-form-urlencoded"
  )
}
