import Foundation
import HTTPTypes
import BelfryJSON
import TestSupport

/// A request to the gateway as a document shows it.
struct DocumentedRequest {
  enum Form: CaseIterable {
    /// `curl` in a shell's lines.
    case command
    /// `PUT /path`, headers, and a body if there is one.
    case message
    /// A body alone; what it is for, its members say.
    case body
  }

  struct Unreadable: Error, CustomStringConvertible {
    let description: String
  }

  let form: Form
  let method: HTTPRequest.Method
  /// With the query.
  let path: String
  let headers: HTTPFields
  let body: String?

  /// What a block shows; nothing if it shows no request.
  static func all(in example: DocumentExample) throws -> [DocumentedRequest] {
    switch example.language {
    case "json": try body(example.text).map { [$0] } ?? []
    case "", "http": try message(example.text).map { [$0] } ?? []
    case "sh", "bash", "console": try commands(example.text)
    default: []
    }
  }

  // MARK: Messages

  private static func message(_ text: String) throws -> DocumentedRequest? {
    guard text.prefixMatch(of: /(?:GET|HEAD|PUT|POST|PATCH|DELETE|OPTIONS) \S/) != nil else { return nil }
    let pattern = #/(?s)([A-Z]+) (\S+)(?: HTTP/1\.1)?\n((?:[\w-]+: [^\n]*\n)*)\n?([{\[].*)?/#
    guard let match = text.wholeMatch(of: pattern), let method = HTTPRequest.Method(String(match.1)) else {
      throw Unreadable(description: "a request that cannot be read")
    }
    var headers: HTTPFields = [:]
    for line in match.3.split(separator: "\n") { try add(String(line), to: &headers) }
    return DocumentedRequest(
      form: .message,
      method: method,
      path: String(match.2),
      headers: headers,
      body: match.4.map(String.init)
    )
  }

  private static func add(_ line: String, to headers: inout HTTPFields) throws {
    let parts = line.split(separator: ":", maxSplits: 1)
    guard parts.count == 2, let name = HTTPField.Name(String(parts[0])) else {
      throw Unreadable(description: "a header that cannot be read: \(line)")
    }
    headers[name] = parts[1].trimmingCharacters(in: .whitespaces)
  }

  // MARK: Commands

  private static func commands(_ text: String) throws -> [DocumentedRequest] {
    try text.replacing("\\\n", with: " ").split(separator: "\n").filter { $0.contains(#/\bcurl /#) }
      .map { try command(words(of: $0)) }
  }

  private static func command(_ words: [String]) throws -> DocumentedRequest {
    var (method, url, body): (String?, String?, String?) = (nil, nil, nil)
    var headers: HTTPFields = [:]
    var rest = words.drop { $0 != "curl" }.dropFirst()
    while let word = rest.popFirst() {
      switch word {
      case "-X", "--request": method = rest.popFirst()
      case "-H", "--header": try add(rest.popFirst() ?? "", to: &headers)
      case "-d", "--data", "--json": body = rest.popFirst()
      case _ where word.hasPrefix("-"): continue
      default: url = url ?? word
      }
    }
    // The host is a variable, or between `//` and the next slash.
    guard let url, let match = url.wholeMatch(of: #/(?:https?://[^/]+|\$\{?\w+\}?)(/.*)/#),
      let method = HTTPRequest.Method(method ?? (body == nil ? "GET" : "POST"))
    else { throw Unreadable(description: "a curl that cannot be read: \(words)") }
    return DocumentedRequest(form: .command, method: method, path: String(match.1), headers: headers, body: body)
  }

  /// A line's words as a shell takes them, with variables as they stand.
  private static func words(of line: Substring) -> [String] {
    var (words, word, quote): ([String], String?, Character?) = ([], nil, nil)
    for character in line {
      switch (character, quote) {
      case (let end, let open?) where end == open: quote = nil
      case (_, .some): word = (word ?? "") + String(character)
      case ("'", nil), ("\"", nil): (quote, word) = (character, word ?? "")
      case (" ", nil):
        if let word { words.append(word) }
        word = nil
      default: word = (word ?? "") + String(character)
      }
    }
    return words + (word.map { [$0] } ?? [])
  }

  // MARK: Bodies

  /// What is answered, or is for others than the gateway, by a member that only it has.
  private static let others = [
    "errors", "unreadCount", "lastUsedAt", "types", "recipients", "key", "match", "web_push", "compilerOptions",
  ]

  /// Nil for what is sent to nobody here.
  private static func body(_ text: String) throws -> DocumentedRequest? {
    let json = try JSONParser.parse(Array(text.utf8))
    func has(_ names: String...) -> Bool { names.contains { json[$0] != nil } }
    let user = "4f9c1c1e-0001-4000-8000-000000000001"
    let (method, path): (HTTPRequest.Method, String)
    if has("to"), has("recurrence", "due", "template") {
      (method, path) = (.put, "/api/v1/schedules/documented")
    } else if has("to") {
      (method, path) = (.post, "/api/v1/notifications")
    } else if has("items") {
      (method, path) = (.post, "/api/v1/notifications/bulk")
    } else if has("userId"), has("title") {
      (method, path) = (.post, "/api/v1/notifications/test")
    } else if has("payload") {
      (method, path) = (.post, "/api/v1/events")
    } else if has("inAppTransactions") {
      (method, path) = (.put, "/api/v1/notification-preferences")
    } else if has("startTime") {
      (method, path) = (.put, "/api/v1/notifications/preferences/quiet-hours")
    } else if has("members") {
      (method, path) = (.put, "/api/v1/groups/documented")
    } else if has("displayName") {
      (method, path) = (.put, "/api/v1/users/\(user)")
    } else if has("token") {
      (method, path) = (.post, "/api/v1/devices")
    } else if has("type"), has("locale") {
      (method, path) = (.post, "/api/v1/admin/preview")
    } else if has("preferences") {
      // What GET answers can be put back.
      (method, path) = (.put, "/api/v1/notifications/preferences")
    } else if others.contains(where: { json[$0] != nil }) {
      return nil
    } else {
      throw Unreadable(description: "nobody here takes this, and no answer is known by it")
    }
    return DocumentedRequest(form: .body, method: method, path: path, headers: [:], body: text)
  }
}
