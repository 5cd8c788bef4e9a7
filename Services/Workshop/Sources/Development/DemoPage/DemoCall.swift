import ConsoleCommands
import Foundation
import BelfryJSON
import NotificationModel
import Transport

/// One call of the gateway whose refusal is an answer, too: the page shows what a backend would see.
struct DemoCall: Sendable {
  struct Outcome: Sendable {
    let status: Int
    let answer: JSONValue
    /// What was accepted.
    let requests: [RequestID]
  }

  let path: String
  /// A JSON document.
  let body: String?

  init(path: String) {
    self.path = path
    body = nil
  }

  /// One request goes by itself, more go together; an event has a path of its own.
  init(_ send: DemoSend, at now: Date) {
    let requests = send.requests(at: now)
    if let event = send.event {
      path = "/api/v1/events"
      body = .json { event.write(to: &$0) }
      return
    }
    if let request = requests.first, requests.count == 1 {
      path = "/api/v1/notifications"
      body = .json { request.write(to: &$0) }
    } else {
      path = "/api/v1/notifications/bulk"
      body = .json { writer in
        writer.object { writer in
          writer.array("items") { writer in
            for request in requests { request.write(to: &writer) }
          }
        }
      }
    }
  }

  func make(_ gateway: GatewayClient, token: String) async throws -> Outcome {
    let response =
      if let body {
        try await gateway.answer("POST", path, token: token) { $0.raw(body) }
      } else {
        try await gateway.answer("POST", path, token: token)
      }
    // What is no JSON is shown as it is.
    let text = String(decoding: response.body, as: UTF8.self)
    let answer = text.isEmpty ? .null : (try? JSONParser.parse(response.body)) ?? .string(text)
    return Outcome(status: response.status, answer: answer, requests: Self.requests(answer))
  }

  private static func requests(_ answer: JSONValue) -> [RequestID] {
    let items = answer["results"]?.array ?? [answer]
    return items.compactMap { $0["requestId"]?.string.flatMap { RequestID($0) } }
  }
}
