import Foundation
import HTTPTypes
import NotificationModel
import TestSupport
import Testing

@testable import Gateway

/// Every request that a document shows is sent, by whom it is for, and is answered as the document says.
@Suite struct DocumentedRequestTests {
  private struct Shown {
    let example: DocumentExample
    let request: DocumentedRequest
    /// What the next block answers; nil if it answers nothing.
    let status: Int?
  }

  /// A block that shows what cannot be understood, or is for nobody here, is an issue.
  private func shown() throws -> [Shown] {
    let examples = try DocumentExample.all()
    return examples.indices.flatMap { index in
      let example = examples[index]
      do {
        let next = index + 1 < examples.count ? examples[index + 1] : nil
        let status = next.flatMap { $0.followsAnother ? $0.text.prefixMatch(of: #/HTTP/1\.1 (\d{3})/#) : nil }
          .flatMap { Int($0.1) }
        return try DocumentedRequest.all(in: example).map { Shown(example: example, request: $0, status: status) }
      } catch {
        Issue.record("\(example): \(error)")
        return []
      }
    }
  }

  @Test func `each request that a document shows is served as it says`() async throws {
    let shown = try shown()
    for form in DocumentedRequest.Form.allCases {
      #expect(shown.count { $0.request.form == form } >= 3, "\(form)")
    }
    try await RouteCase.gateway { gateway in
      for shown in shown {
        do {
          let answer = try await gateway.send(shown.request)
          let isMeant = shown.status.map { $0 == answer.status.code } ?? (200..<300).contains(answer.status.code)
          #expect(isMeant, "\(shown.example): \(answer.status), not \(shown.status ?? 200): \(answer.text)")
        } catch {
          Issue.record("\(shown.example): \(error)")
        }
      }
    }
  }

  @Test func `what a request looks like is understood`() throws {
    func requests(_ language: String, _ text: String) throws -> [DocumentedRequest] {
      try DocumentedRequest.all(in: DocumentExample(path: "", language: language, text: text, followsAnother: false))
    }
    let command = #"""
      TOKEN=$(belfry token --role service)
      curl -sS "$URL/api/v1/events?a=b" -H "Authorization: Bearer $TOKEN" \
        -d '{"name":"it\u0027s"}' | jq .
      """#
    let sent = try #require(try requests("sh", command + "\n").first)
    #expect(sent.method == .post && sent.path == "/api/v1/events?a=b")
    #expect(sent.headers[.authorization] == "Bearer $TOKEN" && sent.body == #"{"name":"it\u0027s"}"#)
    let message = try #require(try requests("", "GET /api/v1/me HTTP/1.1\nIf-None-Match: \"1\"\n").first)
    #expect(message.method == .get && message.path == "/api/v1/me" && message.body == nil)
    #expect(message.headers[.ifNoneMatch] == "\"1\"")
    #expect(try requests("", "HTTP/1.1 200 OK\n").isEmpty && requests("yaml", "to: 1\n").isEmpty)
    for (language, text) in [("json", #"{"new":1}"#), ("http", "GET /a b c\n"), ("sh", "curl --help\n")] {
      #expect(throws: (any Error).self) { try requests(language, text) }
    }
  }
}

extension TestGateway {
  /// Sends it as whom the route serves, about something that is there.
  fileprivate func send(_ request: DocumentedRequest) async throws -> Answer {
    let path = request.path.prefix { $0 != "?" }
    let routes = try TestGateway.routes().filter { $0.method == request.method && $0.matches(path) }
    let route = try #require(routes.min { $0.captures < $1.captures }, "no route of this path")
    let caller = try await route.caller(user: try #require(UserID("4f9c1c1e-0001-4000-8000-000000000001")))
    var target = request.path
    // What is put at a name is new; whatever else has a name is there before.
    if route.captures > 0, route.method != .put || route.path.split(separator: "/").last?.first != ":" {
      let there = try await RouteCase.of(route).ask(self, caller)
      target = try #require(there.path) + request.path.dropFirst(path.count)
    }
    var headers = request.headers
    if headers[.ifMatch] != nil {
      // The document's is of somebody else's.
      headers[.ifMatch] = try await call(.get, target, as: caller).expect(.ok).headers[.eTag]
    }
    for field in caller.headers { headers[field.name] = field.value }
    return try await call(route.method, target, headers: headers, body: request.body)
  }
}

extension Route {
  fileprivate var captures: Int { path.split(separator: "/").count { $0.first == ":" } }

  fileprivate func matches(_ path: Substring) -> Bool {
    let (mine, its) = (self.path.split(separator: "/"), path.split(separator: "/"))
    return mine.count == its.count && zip(mine, its).allSatisfy { $0.first == ":" || $0 == $1 }
  }
}
