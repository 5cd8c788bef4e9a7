import Foundation
import HTTPTypes
import NIOCore
import Testing

/// What the gateway answered.
struct Answer {
  let status: HTTPResponse.Status
  let headers: HTTPFields
  let body: Data

  init(status: HTTPResponse.Status, headers: HTTPFields, body: ByteBuffer) {
    self.status = status
    self.headers = headers
    self.body = Data(body.readableBytesView)
  }

  var text: String { String(decoding: body, as: UTF8.self) }

  /// The body as a JSON object.
  func json() throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: body) as? [String: Any])
  }

  func list(_ name: String) throws -> [[String: Any]] {
    try #require(try json()[name] as? [[String: Any]])
  }

  func expect(_ status: HTTPResponse.Status, sourceLocation: SourceLocation = #_sourceLocation) throws -> Answer {
    try #require(self.status == status, "\(text)", sourceLocation: sourceLocation)
    return self
  }

  /// Checks for a problem document of that kind.
  ///
  /// - Returns: The fields that it names.
  @discardableResult
  func expectProblem(
    _ kind: String,
    _ status: HTTPResponse.Status,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [String] {
    let problem = try expect(status, sourceLocation: sourceLocation).json()
    #expect(problem["type"] as? String == "urn:belfry:problem:\(kind)", "\(text)", sourceLocation: sourceLocation)
    #expect(problem["status"] as? Int == status.code, sourceLocation: sourceLocation)
    #expect(headers[.contentType] == "application/problem+json", sourceLocation: sourceLocation)
    return (problem["errors"] as? [[String: Any]] ?? []).compactMap { $0["field"] as? String }
  }
}
