import BelfryClientTesting
import Foundation
import Testing

@testable import BelfryClient

@MainActor
struct PreferencesModelTests {
  /// What the gateway answers, with pushes on or off.
  nonisolated private static func preferences(push: Bool) -> HTTPResponse {
    HTTPResponse(
      json: """
        {"preferences":[{"notificationType":10,"typeName":"AllowanceDeposit","category":"Allowance","inAppEnabled":true,\
        "pushEnabled":\(push),"emailEnabled":false}],"categories":[{"category":"Allowance","inAppEnabled":true,\
        "pushEnabled":\(push),"emailEnabled":false}],"notificationsEnabled":true,"pausedUntil":null,"soundEnabled":true,\
        "badgeEnabled":true,"timezone":null,"effectiveTimezone":"UTC","quietHoursEnabled":false,"quietHoursStart":null,\
        "quietHoursEnd":null,"settings":{"lowBalanceThreshold":10}}
        """
    )
  }

  private func model(_ answer: @escaping @Sendable (HTTPRequest) -> HTTPResponse) async throws -> (
    PreferencesModel, ScriptedHTTP
  ) {
    let http = ScriptedHTTP { request in
      request.url.path().hasSuffix("/muted") ? HTTPResponse(json: #"{"muted":[],"hasMore":false}"#) : answer(request)
    }
    let model = PreferencesModel(BelfryClient(try testConfiguration(http)) { _ in "token" })
    await model.load()
    return (model, http)
  }

  @Test func `a category is switched with its types, and by one call`() async throws {
    let (model, http) = try await model { Self.preferences(push: $0.method == "GET") }
    #expect(model.preferences?.types.first?.switches.push == true)
    await model.set(.push, false, category: "Allowance")
    #expect(http.sent.last?.text == #"{"categories":[{"category":"Allowance","pushEnabled":false}]}"#)
    #expect(model.preferences?.types.first?.switches.push == false)
    #expect(
      model.preferences?.categories.first?.switches == Preferences.Switches(inApp: true, push: false, email: false)
    )
    #expect(model.saving == 0)
  }

  @Test func `a type and everything are switched by a call each`() async throws {
    let (model, http) = try await model { _ in Self.preferences(push: true) }
    await model.set(.email, true, type: 10)
    #expect(http.sent.last?.text == #"{"preferences":[{"notificationType":10,"emailEnabled":true}]}"#)
    await model.set(.push, true)
    #expect(http.sent.last?.text == #"{"categories":[{"category":"Allowance","pushEnabled":true}]}"#)
    await model.setSetting("lowBalanceThreshold", nil)
    #expect(http.sent.last?.text == #"{"settings":{"lowBalanceThreshold":null}}"#)
    await model.pause(until: nil)
    #expect(http.sent.last?.text == #"{"pausedUntil":null}"#)
    await model.setQuietHours(true, start: "22:00", end: "07:00")
    #expect(http.sent.last?.text == #"{"enabled":true,"startTime":"22:00","endTime":"07:00"}"#)
  }

  @Test func `what is refused is taken back, and says why`() async throws {
    let (model, _) = try await model { $0.method == "GET" ? Self.preferences(push: true) : HTTPResponse(status: 400) }
    await model.set(.push, false, type: 10)
    #expect(model.error?.code == .invalid)
    #expect(model.preferences?.types.first?.switches.push == true)
  }

  @Test func `quiet hours and their zone are one change`() async throws {
    let (model, http) = try await model { Self.preferences(push: $0.method == "GET") }
    await model.setQuietHours(true, start: "22:00", end: "07:00", timezone: "Europe/Berlin")
    #expect(
      http.sent.last?.text == #"{"enabled":true,"startTime":"22:00","endTime":"07:00","timezone":"Europe/Berlin"}"#
    )
    #expect(http.sent.count { $0.method == "PUT" } == 1)
  }

  @Test func `of several changes the last answer is shown`() async throws {
    let (model, http) = try await model { Self.preferences(push: $0.text.contains("true") || $0.method == "GET") }
    async let first: Void = model.set(.push, false, type: 10)
    async let second: Void = model.set(.push, true, type: 10)
    _ = await (first, second)
    #expect(http.sent.count { $0.method == "PUT" } == 2)
    #expect(model.saving == 0)
    #expect(model.preferences?.types.first?.switches.push == http.sent.last?.text.contains("true"))
  }
}

@MainActor
struct DevicesModelTests {
  @Test func `devices are registered, listed and removed`() async throws {
    let device = #"{"id":"c4ee2b13-d3b9-400f-84b8-789bae9f9db3","platform":1,"kind":"fcm","isActive":true}"#
    let http = ScriptedHTTP { request in
      switch request.method {
      case "POST": HTTPResponse(json: device)
      case "DELETE": HTTPResponse(status: 404)
      default: HTTPResponse(json: "[\(device)]")
      }
    }
    let model = DevicesModel(BelfryClient(try testConfiguration(http)) { _ in "token" })
    let registered = await model.register(DeviceRegistration(.token("fcm"), deviceName: "Phone"))
    #expect(http.sent.first?.text == #"{"platform":1,"token":"fcm","deviceName":"Phone"}"#)
    #expect(model.devices == [registered])
    if let id = registered?.id { await model.remove(id) }
    #expect(model.error == nil)
    #expect(http.sent.map(\.method) == ["POST", "GET", "DELETE", "GET"])
  }
}

@MainActor
struct NextUserTests {
  @Test func `preferences and devices are empty after a sign-out, and what was asked before changes nothing`()
    async throws
  {
    let device = #"{"id":"c4ee2b13-d3b9-400f-84b8-789bae9f9db3","platform":1,"kind":"fcm","isActive":true}"#
    let preferences =
      #"{"preferences":[],"categories":[],"notificationsEnabled":true,"settings":{}}"#
    let (clock, isSlow) = (TestClock(), Locked(false))
    let http = ScriptedHTTP { request in
      if isSlow.withLock({ $0 }) { _ = try? await clock.sleep(for: .seconds(1)) }
      return switch request.url.path() {
      case let path where path.hasSuffix("/muted"):
        HTTPResponse(json: #"{"muted":[{"entityType":"a","entityId":"b"}],"hasMore":false}"#)
      case let path where path.hasSuffix("/devices"): HTTPResponse(json: "[\(device)]")
      default: HTTPResponse(json: preferences)
      }
    }
    let client = BelfryClient(try testConfiguration(http, clock: clock)) { _ in "token" }
    let (chosen, devices) = (PreferencesModel(client), DevicesModel(client))
    await chosen.load()
    await devices.load()
    #expect(chosen.preferences != nil && chosen.mutes.count == 1 && devices.devices.count == 1)
    isSlow.withLock { $0 = true }
    async let loading: Void = chosen.load()
    async let listing: Void = devices.load()
    async let saving: Void = chosen.setSoundEnabled(false)
    #expect(await settles { clock.sleeping == 3 })
    await client.signOut()
    #expect(await settles { chosen.preferences == nil && chosen.mutes.isEmpty && devices.devices.isEmpty })
    for _ in 0..<5 {
      clock.jump(by: .seconds(2))
      _ = await settles(200) { false }
    }
    _ = await (loading, listing, saving)
    #expect(chosen.preferences == nil && chosen.mutes.isEmpty && chosen.saving == 0 && chosen.error == nil)
    #expect(devices.devices.isEmpty && devices.error == nil)
    isSlow.withLock { $0 = false }
    await chosen.load()
    await devices.load()
    #expect(chosen.preferences != nil && devices.devices.count == 1)
  }
}
