import BelfryClientTesting
import Foundation
import BelfryJSON
import Testing

@testable import BelfryClient

struct RESTClientTests {
  private let clock = TestClock()

  private func client(_ http: ScriptedHTTP, tokens: [String] = ["one", "two", "three"]) throws -> RESTClient {
    let left = Locked(tokens)
    let configuration = try testConfiguration(http, clock: clock)
    let store = TokenStore(
      { _ in left.withLock { $0.isEmpty ? "" : $0.removeFirst() } },
      clock: clock,
      limit: .seconds(30)
    )
    return RESTClient(configuration, tokens: store)
  }

  @Test func `a refused token is replaced once, and the call repeated`() async throws {
    let http = ScriptedHTTP {
      $0.token == "two" ? HTTPResponse(json: #"{"count":3,"unseen":1}"#) : HTTPResponse(status: 401)
    }
    let count = try await client(http).getUnreadCount()
    #expect(count == (3, 1))
    #expect(http.sent.map(\.token) == ["one", "two"])
  }

  @Test func `a user whose second token is refused is unauthorized, and asks no more`() async throws {
    let http = ScriptedHTTP { _ in HTTPResponse(status: 401) }
    let client = try client(http)
    for _ in 0..<3 {
      await #expect(throws: BelfryError(.unauthorized, status: 401)) { try await client.getUnreadCount() }
    }
    #expect(http.sent.count == 2)
  }

  @Test func `a 404 that is not Belfry's says so`() async throws {
    let foreign = try client(ScriptedHTTP { _ in HTTPResponse(404, json: "<html>") })
    let error = await #expect(throws: BelfryError.self) { try await foreign.getUnreadCount() }
    #expect(error?.description == "notFound (404): Belfry did not answer this: is the gateway's address right?")
  }

  @Test func `problems are read with their fields`() async throws {
    let http = ScriptedHTTP { _ in
      HTTPResponse(
        400,
        json:
          #"{"type":"urn:belfry:problem:validation","title":"Invalid","status":400,"detail":"Wrong.","errors":[{"field":"until","message":"is past"}]}"#
      )
    }
    let client = try client(http)
    let error = await #expect(throws: BelfryError.self) { try await client.getPreferences() }
    #expect(error?.code == .invalid)
    #expect(error?.detail == "Wrong.")
    #expect(error?.problem?.errors == [Problem.FieldError(field: "until", message: "is past")])
  }

  @Test(arguments: [
    (403, BelfryError.Code.forbidden), (404, .notFound), (408, .timeout), (409, .invalid), (412, .invalid),
    (429, .rateLimited), (500, .unavailable), (503, .unavailable), (302, .malformed),
  ])
  func `each status says what to do`(status: Int, code: BelfryError.Code) async throws {
    let client = try client(ScriptedHTTP { _ in HTTPResponse(status: status) })
    let error = await #expect(throws: BelfryError.self) { try await client.listMutes() }
    #expect(error?.code == code)
    #expect(error?.status == status)
  }

  @Test func `Retry-After is seconds or a date, and five minutes at most`() {
    let now = Date(timeIntervalSince1970: 784_111_717)  // Sun, 06 Nov 1994 08:48:37 GMT
    #expect(waitingTime("7", now: now) == .seconds(7))
    #expect(waitingTime("86400", now: now) == .seconds(300))
    #expect(waitingTime("Sun, 06 Nov 1994 08:49:37 GMT", now: now) == .seconds(60))
    #expect(waitingTime("Sun, 06 Nov 1994 08:40:37 GMT", now: now) == .zero)
    #expect(waitingTime("soon", now: now) == nil)
    #expect(waitingTime("-1", now: now) == nil)
    #expect(waitingTime("", now: now) == nil)
    #expect(waitingTime(String(repeating: "9", count: 400), now: now) == .seconds(300))
    #expect(waitingTime("0", now: now) == .zero)
  }

  @Test(arguments: ["<html>Sign in</html>", "", "[]", "{}", #"{"count":-1,"unseen":0}"#])
  func `an answer of somebody else is malformed`(body: String) async throws {
    let client = try client(ScriptedHTTP { _ in HTTPResponse(json: body) })
    let error = await #expect(throws: BelfryError.self) { try await client.getUnreadCount() }
    #expect(error?.code == .malformed)
  }

  @Test func `one notification that is none hides no other`() async throws {
    let half = #"\ud83d"#
    let bodies = [
      "null", "7", "{}", #"{"id":"no UUID"}"#, #"{"id":7}"#, notification(1).text.replacing("Title 1", with: half),
      notification(2).text.replacing(#""seq":2"#, with: #""seq":9223372036854775807"#),
      notification(3).text.replacing(#""seq":3"#, with: #""seq":-1e300"#),
      notification(4).text.replacing(#""type":10"#, with: #""type":"ten""#)
        .replacing(#""actions":[]"#, with: #""actions":[7,{"id":"A"}]"#),
    ]
    let json = #"{"notifications":[\#(bodies.joined(separator: ","))],"unreadCount":18446744073709551615,"hasMore":1}"#
    let page = try await client(ScriptedHTTP { _ in HTTPResponse(json: json) }).listNotifications()
    #expect(page.notifications.map(\.id) == (1...4).map(notificationID))
    #expect(page.notifications.map(\.seq) == [1, nil, nil, 4])
    #expect(page.notifications.first?.title == "\u{FFFD}")
    #expect(page.notifications.last?.type == 0)
    #expect(page.notifications.last?.actions == [BelfryAction(id: "A", title: "A")])
    #expect(page.unreadCount == nil)
  }

  @Test func `what the server says is kept as far as somebody reads it`() async throws {
    let long = String(repeating: "x", count: 50_000)
    let errors = Array(repeating: #"{"field":"\#(long)","message":"\#(long)"}"#, count: 1_000).prefix(5).joined(
      separator: ","
    )
    let body = #"{"type":"\#(long)","title":"\#(long)","status":400,"detail":"\#(long)","errors":[\#(errors)]}"#
    let client = try client(ScriptedHTTP { _ in HTTPResponse(400, json: body) })
    let error = await #expect(throws: BelfryError.self) { try await client.getPreferences() }
    #expect(error?.detail?.count == 1_000)
    #expect(error?.problem?.title.count == 1_000)
    #expect(error?.problem?.errors.allSatisfy { $0.field.count == 1_000 && $0.message.count == 1_000 } == true)
  }

  @Test(arguments: [
    ("https://belfry.test", "hubs/n", "https://belfry.test/hubs/n"),
    ("https://belfry.test/a", "hubs/n", "https://belfry.test/a/hubs/n"),
    ("https://belfry.test/a/", "hubs/n", "https://belfry.test/a/hubs/n"),
    ("https://belfry.test/a", "/hubs/n", "https://belfry.test/hubs/n"),
    ("https://belfry.test/a", "https://hub.test/n", "https://hub.test/n"), ("https://belfry.test", "file:///n", ""),
  ])
  func `the hub is where the gateway says, below its own address`(gateway: String, hub: String, url: String) throws {
    let json = try JSONParser.parse(Array(#"{"hub":"\#(hub)"}"#.utf8))
    let configuration = GatewayConfiguration(json, gateway: try #require(URL(string: gateway)))
    #expect(configuration?.hub.absoluteString ?? "" == url)
  }

  @Test func `a list is asked for as its filter says`() async throws {
    let http = ScriptedHTTP { _ in
      HTTPResponse(json: #"{"notifications":[],"unreadCount":0,"totalCount":0,"hasMore":false}"#)
    }
    let filter = NotificationFilter(place: .snoozed, unreadOnly: true, category: "Goals & Savings", type: "10")
    _ = try await client(http).listNotifications(filter, before: notificationID(1), pageSize: 5)
    let id = notificationID(1).uuidString.lowercased()
    #expect(
      http.sent.first?.url.absoluteString == "https://belfry.test/api/v1/notifications?pageSize=5&before=\(id)"
        + "&unreadOnly=true&category=Goals%20%26%20Savings&type=10&snoozed=true"
    )
  }

  @Test func `names in a path are one segment each`() async throws {
    let http = ScriptedHTTP { _ in HTTPResponse(status: 204) }
    let client = try client(http)
    try await client.muteEntity(RelatedEntity(type: "a/b", id: ".."))
    try await client.unmuteEntity(RelatedEntity(type: "ä?#", id: "x y"))
    #expect(
      http.sent.map(\.url.absoluteString) == [
        "https://belfry.test/api/v1/notifications/muted/a%2Fb/%2E%2E",
        "https://belfry.test/api/v1/notifications/muted/%C3%A4%3F%23/x%20y",
      ]
    )
  }

  @Test func `an update names what changes and nothing else`() async throws {
    let answer =
      #"{"preferences":[],"categories":[],"notificationsEnabled":true,"settings":{"lowBalanceThreshold":25}}"#
    let http = ScriptedHTTP { _ in HTTPResponse(json: answer, headers: ["ETag": "\"v2\""]) }
    var update = PreferencesUpdate()
    update.categories = ["Allowance": PreferencesUpdate.Switches(push: false)]
    update.pausedUntil = .cleared
    update.settings = ["lowBalanceThreshold": .set(25)]
    let preferences = try await client(http).updatePreferences(update, ifMatch: "\"v1\"")
    #expect(
      http.sent.first?.text
        == #"{"categories":[{"category":"Allowance","pushEnabled":false}],"pausedUntil":null,"settings":{"lowBalanceThreshold":25.0}}"#
    )
    #expect(http.sent.first?.headers["If-Match"] == "\"v1\"")
    #expect(preferences.etag == "\"v2\"")
    #expect(preferences.settings == ["lowBalanceThreshold": 25])
  }

  @Test func `a receipt needs no token`() async throws {
    let http = ScriptedHTTP { _ in HTTPResponse(status: 204) }
    try await client(http, tokens: []).reportOpened(receipt: "AU-c", action: "VIEW")
    #expect(http.sent.first?.token == nil)
    #expect(http.sent.first?.text == #"{"event":"opened","action":"VIEW"}"#)
  }

  @Test func `a token of APNs goes as hex`() async throws {
    let http = ScriptedHTTP { _ in
      HTTPResponse(json: #"{"id":"c4ee2b13-d3b9-400f-84b8-789bae9f9db3","platform":1,"kind":"apns"}"#)
    }
    let device = try await client(http).registerNativeDeviceToken(NativeDeviceToken(Data([0, 0xAB])), userId: "anna")
    #expect(http.sent.first?.text == #"{"userId":"anna","token":"00ab","platform":"iOS"}"#)
    #expect(device.kind == "apns")
  }

  @Test func `every call is one of the gateway's description`() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Services/Gateway/Description/openapi.yaml")
    var described: [String: String] = [:]
    var (path, method) = ("", "")
    for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
      if line.hasPrefix("  /") { path = line.dropFirst(2).prefix { $0 != ":" }.description }
      if line.hasPrefix("    "), !line.hasPrefix("     ") {
        method = line.dropFirst(4).prefix { $0 != ":" }.uppercased()
      }
      if line.hasPrefix("      operationId: ") { described[line.dropFirst(19).description] = "\(method) \(path)" }
    }
    #expect(described.count > 60)
    for endpoint in Endpoint.all { #expect(described[endpoint.id] == "\(endpoint.method) \(endpoint.template)") }
    #expect(Set(Endpoint.all.map(\.id)).count == Endpoint.all.count)
  }
}
