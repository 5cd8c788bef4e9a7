import BelfryClient
import BelfryClientTesting
import Foundation
import TestSupport
import Testing

/// Whether apps test against what they will meet: the answers of `BelfryClientTesting` are those that openapi.yaml describes.
@Suite struct InMemoryServerTests {
  private let clock = TestClock()
  private let server: InMemoryServer
  private let item: BelfryNotification
  private let gone: BelfryNotification

  init() async {
    server = InMemoryServer(clock: clock)
    item = await server.deliver(type: 20, data: ["percent": 80], relatedEntity: RelatedEntity(type: "Goal", id: "g-1"))
    gone = await server.deliver()
  }

  /// A call of the client.
  private struct Call {
    let method: String
    let path: String
    var body: String?
    var headers: [String: String] = [:]
    var isOpen = false
  }

  private func ask(_ call: Call) async throws -> HTTPResponse {
    let url = try #require(URL(string: "\(server.gateway.absoluteString)\(call.path)"))
    var headers = call.headers
    if !call.isOpen { headers["Authorization"] = "Bearer \(await server.token())" }
    return try await server.send(
      HTTPRequest(method: call.method, url: url, headers: headers, body: call.body.map { Data($0.utf8) })
    )
  }

  /// Asks, and says what speaks against the answer.
  private func judge(_ call: Call, _ status: ClosedRange<Int> = 200...299) async throws -> HTTPResponse {
    let answer = try await ask(call)
    #expect(status.contains(answer.status), "\(call.method) \(call.path)")
    let exchange = DescriptionJudge.Exchange(
      method: call.method,
      path: call.path,
      status: answer.status,
      headers: answer.headers.map { (name: $0.key, value: $0.value) },
      body: answer.body
    )
    let objections = try await DescriptionJudge.shared.objections(to: exchange)
    #expect(objections == [], "\(objections)")
    return answer
  }

  private static let notifications = "/api/v1/notifications"

  private var calls: [Call] {
    let (list, one) = (Self.notifications, "\(Self.notifications)/\(item.id.uuidString.lowercased())")
    return [
      Call(method: "GET", path: "\(list)?pageSize=1"),
      Call(method: "GET", path: "\(list)?pageSize=1&page=2"),
      Call(method: "GET", path: "\(list)/unread-count"),
      Call(method: "GET", path: one),
      Call(method: "POST", path: "\(list)/seen"),
      Call(method: "PATCH", path: "\(one)/read"),
      Call(method: "PATCH", path: "\(one)/unread"),
      Call(method: "PATCH", path: "\(one)/archive"),
      Call(method: "GET", path: "\(list)?archived=true"),
      Call(method: "PATCH", path: "\(one)/unarchive"),
      Call(method: "PATCH", path: "\(one)/snooze", body: #"{"until":"2027-02-01T08:00:00Z"}"#),
      Call(method: "PATCH", path: "\(one)/snooze", body: #"{"until":null}"#),
      Call(method: "POST", path: "\(one)/opened"),
      Call(method: "POST", path: "\(one)/actions/VIEW_GOALS"),
      Call(method: "DELETE", path: "\(list)/\(gone.id.uuidString)"),
      Call(method: "GET", path: "\(list)/changes?since=1"),
      Call(method: "POST", path: "\(list)/read", body: #"{"notificationIds":["\#(item.id.uuidString)"]}"#),
      Call(method: "DELETE", path: list),
      Call(method: "GET", path: "\(list)/changes?since=0&change=1&limit=1"),
      Call(method: "GET", path: "\(list)/preferences"),
      Call(
        method: "PUT",
        path: "\(list)/preferences",
        body: """
          {"preferences":[{"notificationType":"GoalMilestone","pushEnabled":false}],"settings":{"minimumBalance":25},
          "pausedUntil":"2027-02-01T08:00:00Z","timezone":"Europe/Berlin"}
          """
      ),
      Call(
        method: "PUT",
        path: "\(list)/preferences/quiet-hours",
        body: #"{"enabled":true,"startTime":"22:00","endTime":"07:00"}"#
      ),
      Call(method: "PUT", path: "\(list)/muted/conversation/c-1"),
      Call(method: "PUT", path: "\(list)/muted/conversation/c-2", body: #"{"until":"2027-02-01T08:00:00Z"}"#),
      Call(method: "GET", path: "\(list)/muted"),
      Call(method: "DELETE", path: "\(list)/muted/conversation/c-1"),
      Call(method: "GET", path: "/api/v1/devices"),
      Call(
        method: "POST",
        path: "\(list)/device-token",
        body: #"{"userId":"anna","token":"\#(String(repeating: "ab", count: 32))","platform":"iOS"}"#
      ),
      Call(method: "DELETE", path: "/api/v1/devices/current", headers: ["X-Device-Token": "eX4mpl3"]),
      Call(method: "POST", path: "/api/v1/receipts/r-1", body: #"{"event":"displayed"}"#, isOpen: true),
      Call(method: "GET", path: "/catalogue", isOpen: true),
      Call(method: "GET", path: "/bell/config.json", isOpen: true),
    ]
  }

  @Test func `every call of the client is answered as it is described`() async throws {
    var asked: [String] = []
    for call in calls {
      _ = try await judge(call)
      asked.append("\(call.method) \(call.path.prefix { $0 != "?" })")
    }
    let device = #"{"fid":"f-1","platform":1,"deviceName":"iPhone","installationId":"\#(UUID().uuidString)"}"#
    let answer = try await judge(Call(method: "POST", path: "/api/v1/devices", body: device))
    struct Device: Decodable { let id: String }
    let id = try JSONDecoder().decode(Device.self, from: answer.body).id
    _ = try await judge(Call(method: "GET", path: "/api/v1/devices"))
    _ = try await judge(Call(method: "PUT", path: "/api/v1/devices/\(id)/permission", body: #"{"status":"granted"}"#))
    _ = try await judge(Call(method: "DELETE", path: "/api/v1/devices/\(id)"))
    asked += ["POST /api/v1/devices", "PUT /api/v1/devices/\(id)/permission", "DELETE /api/v1/devices/\(id)"]
    for endpoint in Endpoint.all {
      #expect(asked.contains { Self.matches($0, endpoint) }, "\(endpoint.id) was not asked")
    }
  }

  /// Whether a call is one of an endpoint; a name is not taken for an id.
  private static func matches(_ call: String, _ endpoint: Endpoint) -> Bool {
    let (given, wanted) = (call.split(separator: "/"), "\(endpoint.method) \(endpoint.template)".split(separator: "/"))
    return given.count == wanted.count
      && zip(given, wanted).allSatisfy { given, wanted in
        wanted.hasPrefix("{id") ? UUID(uuidString: String(given)) != nil : wanted.hasPrefix("{") || given == wanted
      }
  }

  @Test func `what it refuses is a problem as it is described`() async throws {
    let (list, preferences) = (Self.notifications, "\(Self.notifications)/preferences")
    let item = "\(list)/\(item.id.uuidString)"
    let refused: [(Int, Call)] = [
      (400, Call(method: "GET", path: "\(list)?pageSize=51")),
      (400, Call(method: "GET", path: "\(list)/changes")),
      (400, Call(method: "POST", path: "\(list)/read", body: #"{"notificationId":"x"}"#)),
      (400, Call(method: "PATCH", path: "\(item)/snooze", body: #"{"until":"2020-01-01T00:00:00Z"}"#)),
      (400, Call(method: "PUT", path: preferences, body: #"{"settings":{"unknown":1}}"#)),
      (400, Call(method: "PUT", path: "\(preferences)/quiet-hours", body: #"{"enabled":true}"#)),
      (400, Call(method: "POST", path: "/api/v1/devices", body: #"{"platform":1}"#)),
      (400, Call(method: "POST", path: "/api/v1/receipts/r-1", body: "{}", isOpen: true)),
      (401, Call(method: "GET", path: list, isOpen: true)),
      (403, Call(method: "POST", path: "\(list)/device-token", body: #"{"userId":"ben"}"#)),
      (404, Call(method: "GET", path: "\(list)/\(UUID().uuidString)")),
      (404, Call(method: "POST", path: "\(item)/actions/UNKNOWN")),
      (404, Call(method: "DELETE", path: "/api/v1/devices/\(UUID().uuidString)")),
      (404, Call(method: "GET", path: "/api/v1/unknown")),
      (412, Call(method: "PUT", path: preferences, body: "{}", headers: ["If-Match": "\"old\""])),
    ]
    for (status, call) in refused { _ = try await judge(call, status...status) }
    await server.expireTokens()
    for fault in [InMemoryServer.Fault.unauthorized, .status(403), .status(429), .status(500), .status(503)] {
      await server.fail(next: 1, with: fault)
      _ = try await judge(Call(method: "GET", path: list), 401...503)
    }
  }
}
