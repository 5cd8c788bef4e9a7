import BelfryClient
import Foundation
import Synchronization

/// Answers requests as told, and keeps them.
final class ScriptedServer: HTTPTransport {
  struct Request: Equatable {
    let line: String
    let body: String
  }

  private struct State {
    var answers: [String: HTTPResponse] = [:]
    var requests: [Request] = []
  }

  private let state = Mutex(State())

  /// - Parameter line: Such as `GET /api/v1/devices`, without a query.
  func answer(_ line: String, status: Int = 200, _ body: String) {
    state.withLock { $0.answers[line] = HTTPResponse(status: status, body: Data(body.utf8)) }
  }

  var requests: [Request] { state.withLock { $0.requests } }

  func requests(_ line: String) -> [Request] { requests.filter { $0.line == line } }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    state.withLock { state in
      let line = "\(request.method) \(request.url.path)"
      state.requests.append(Request(line: line, body: String(decoding: request.body ?? Data(), as: UTF8.self)))
      return state.answers[line] ?? HTTPResponse(status: 404)
    }
  }

  /// A client of this server, for a user with a token.
  func client() throws -> BelfryClient {
    guard let gateway = URL(string: "http://gateway.test") else { throw BelfryError(.invalid) }
    return BelfryClient(
      BelfryConfiguration(gateway: gateway, hub: gateway, http: self, live: NoHub()),
      token: { _ in "token" }
    )
  }
}

/// A hub that nobody reaches.
struct NoHub: LiveTransport {
  var name: String { "ServerSentEvents" }

  func open(_ url: URL, token: String, via http: any HTTPTransport) async throws -> any LiveChannel {
    throw BelfryError(.unavailable)
  }
}

extension ScriptedServer.Request {
  /// The body as a JSON object; empty where it is none.
  var json: [String: Any] {
    (try? JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any]) ?? [:]
  }
}

/// What the gateway answers, as far as these tests read it.
enum Answers {
  static let device =
    #"{"id":"c4ee2b13-d3b9-400f-84b8-789bae9f9db3","platform":1,"deviceName":"iPhone","isActive":true}"#

  static func notification(
    _ id: UUID,
    type: Int = 10,
    category: String = "Allowance",
    data: String = "null",
    isRead: Bool = false,
    second: Int = 0
  ) -> String {
    #"{"id":"\#(id.uuidString.lowercased())","type":\#(type),"typeName":"T\#(type)","category":"\#(category)","#
      + #""title":"Title","body":"Body","data":\#(data),"isRead":\#(isRead),"readAt":null,"#
      + #""createdAt":"2026-11-21T05:44:\#(second < 10 ? "0" : "")\#(second).000Z","relatedEntityType":null,"#
      + #""relatedEntityId":null,"timeAgo":"Just now","seq":\#(second + 1),"actions":[]}"#
  }

  static func page(_ notifications: [String], unread: Int, hasMore: Bool = false) -> String {
    #"{"notifications":[\#(notifications.joined(separator: ","))],"unreadCount":\#(unread),"totalCount":99,"#
      + #""hasMore":\#(hasMore)}"#
  }

  static let preferences = """
    {"preferences":[
      {"notificationType":2,"typeName":"LowBalanceWarning","category":"Balance & Transactions","inAppEnabled":true,
       "pushEnabled":true,"emailEnabled":false},
      {"notificationType":3,"typeName":"TransactionCreated","category":"Balance & Transactions","inAppEnabled":false,
       "pushEnabled":false,"emailEnabled":false},
      {"notificationType":10,"typeName":"AllowanceDeposit","category":"Allowance","inAppEnabled":true,"pushEnabled":true,
       "emailEnabled":false}],
     "categories":[
      {"category":"Balance & Transactions","inAppEnabled":true,"pushEnabled":true,"emailEnabled":false},
      {"category":"Allowance","inAppEnabled":true,"pushEnabled":true,"emailEnabled":false},
      {"category":"Spending Alerts","inAppEnabled":false,"pushEnabled":false,"emailEnabled":true},
      {"category":"App Engagement","inAppEnabled":false,"pushEnabled":true,"emailEnabled":false},
      {"category":"Pings","inAppEnabled":false,"pushEnabled":false,"emailEnabled":false}],
     "notificationsEnabled":true,"pausedUntil":null,"soundEnabled":false,"badgeEnabled":true,"timezone":"Europe/Berlin",
     "effectiveTimezone":"Europe/Berlin","quietHoursEnabled":true,"quietHoursStart":"22:00:00","quietHoursEnd":"07:30:00",
     "settings":{"lowBalanceThreshold":12.5}}
    """
}
