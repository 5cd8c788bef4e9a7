import Foundation
import Testing
import Transport

/// What an HTTP call answered.
struct Answer {
  let status: Int
  let body: [UInt8]
  let response: HTTPResponse

  init(_ response: HTTPResponse) {
    status = response.status
    body = response.body
    self.response = response
  }

  var text: String { String(decoding: body, as: UTF8.self) }

  /// The body as a JSON object; empty if it is none.
  var json: [String: Any] {
    (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any] ?? [:]
  }

  func list(_ name: String) throws -> [[String: Any]] {
    try #require(json[name] as? [[String: Any]])
  }

  /// Fields named by a problem document's errors.
  var problemFields: [String] {
    (json["errors"] as? [[String: Any]] ?? []).compactMap { $0["field"] as? String }
  }

  func expect(_ status: Int, sourceLocation: SourceLocation = #_sourceLocation) throws -> Answer {
    try #require(self.status == status, "\(text)", sourceLocation: sourceLocation)
    return self
  }
}
