import BelfryClientTesting
import Foundation
import Testing

@testable import BelfryClient

struct PushRegistrationTests {
  private let clock = TestClock()
  private let server = FakeDevices()
  private let store = MemoryPushStore()
  private let user = Locked("anna")
  private let apns = Data((0..<32).map { UInt8($0) })

  /// A new one has nothing in memory, as after a start of the app.
  private func registration(
    _ app: PushApp = PushApp(appVersion: "1.4"),
    token: TokenProvider? = nil
  ) throws -> PushRegistration {
    let user = user
    let configuration = try testConfiguration(server, clock: clock)
    let client = BelfryClient(
      configuration,
      jitter: Jitter { 0.5 },
      token: token ?? { _ in signedToken(user.withLock { $0 }) }
    )
    return PushRegistration(client, app: app, store: store)
  }

  private func record() async throws -> RegistrationRecord {
    try #require(await store.read(RegistrationRecord.name, as: RegistrationRecord.self))
  }

  // MARK: Registering

  @Test func `each kind of address goes by its own call, with one installation`() async throws {
    let registration = try registration()
    #expect(try await registration.register(.fcmToken("token:1")))
    #expect(try await registration.register(.fid("fid-1")))
    #expect(try await registration.register(.apns(apns, environment: "sandbox", topic: "com.example")))
    let id = try await registration.installation.wireText
    #expect(server.calls == ["POST devices", "POST devices", "POST device-token"])
    #expect(
      server.bodies == [
        #"{"platform":1,"token":"token:1","installationId":"\#(id)","appVersion":"1.4"}"#,
        #"{"platform":1,"fid":"fid-1","installationId":"\#(id)","appVersion":"1.4"}"#,
        #"{"userId":"anna","token":"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f","platform":"iOS","environment":"sandbox","topic":"com.example","installationId":"\#(id)"}"#,
      ]
    )
  }

  @Test func `what did not change is not sent again, also after a start`() async throws {
    #expect(try await registration().register(.fcmToken("one")))
    let again = try registration()
    #expect(try await again.register(.fcmToken("one")) == false)
    #expect(try await again.register(.fcmToken("one")) == false)
    #expect(server.calls == ["POST devices"])
  }

  @Test func `another token, version or name is sent`() async throws {
    try await registration().register(.fcmToken("one"))
    #expect(try await registration().register(.fcmToken("two")))
    #expect(try await registration(PushApp(appVersion: "1.5")).register(.fcmToken("two")))
    #expect(try await registration(PushApp(deviceName: "Anna's", appVersion: "1.5")).register(.fcmToken("two")))
    #expect(
      try await registration(PushApp(deviceName: "Anna's", appVersion: "1.5")).register(.fcmToken("two")) == false
    )
    #expect(Set(server.devices.map(\.installation)).count == 1)
  }

  @Test func `after a week it is refreshed, and so it is if the clock was set back`() async throws {
    let registration = try registration()
    try await registration.register(.fcmToken("one"))
    clock.jump(by: .seconds(7 * 86_400 - 1))
    #expect(try await registration.register(.fcmToken("one")) == false)
    clock.jump(by: .seconds(1))
    #expect(try await registration.register(.fcmToken("one")))
    clock.jump(by: .seconds(-60))
    #expect(try await registration.register(.fcmToken("one")))
  }

  @Test func `a lost answer counts as not sent`() async throws {
    server.state.withLock { $0.losesAnswers = true }
    let registration = try registration()
    await #expect(throws: BelfryError(.unavailable)) { try await registration.register(.fcmToken("one")) }
    server.state.withLock { $0.losesAnswers = false }
    #expect(try await registration.register(.fcmToken("one")))
    #expect(server.devices.count == 1)
  }

  @Test func `calls at the same time send once`() async throws {
    let registration = try registration()
    let sent = try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<10 { group.addTask { try await registration.register(.fcmToken("one")) } }
      return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(sent == 1)
    #expect(server.calls == ["POST devices"])
  }

  @Test func `a token of APNs needs the user's id`() async throws {
    let registration = try registration(token: { _ in "opaque" })
    let error = await #expect(throws: BelfryError.self) { try await registration.register(.apns(apns)) }
    #expect(error?.code == .invalid)
    #expect(server.calls.isEmpty)
  }

  @Test(arguments: [
    PushAddress.fcmToken(""), .fcmToken(String(repeating: "x", count: 2_049)), .fcmToken("a\nb"), .fid("a:b"), .fid(""),
    .fid(String(repeating: "x", count: 129)), .apns(Data(repeating: 1, count: 31)),
    .apns(Data(repeating: 1, count: 101)),
  ])
  func `what is no address is not sent, and not in the error`(address: PushAddress) async throws {
    let registration = try registration()
    let error = await #expect(throws: BelfryError.self) { try await registration.register(address) }
    #expect(error?.code == .invalid)
    #expect(error?.description.contains("xxx") == false)
    #expect(server.calls.isEmpty)
  }

  @Test func `names are cut to what the gateway takes`() {
    let app = PushApp(
      deviceName: "a\u{7}b" + String(repeating: "x", count: 300),
      appVersion: String(repeating: "1", count: 60)
    )
    #expect(app.deviceName?.count == 200)
    #expect(app.deviceName?.hasPrefix("abx") == true)
    #expect(app.appVersion?.count == 50)
  }

  @Test func `no address is kept`() async throws {
    let registration = try registration()
    try await registration.register(.fcmToken("secret-token"))
    try await registration.register(.apns(apns))
    server.state.withLock { $0.isDown = true }
    await registration.signOut()
    let text = String(decoding: try #require(await store.load(RegistrationRecord.name)), as: UTF8.self)
    #expect(!text.contains("secret"))
    #expect(!text.contains("000102"))
    #expect(!text.contains("e30."))
  }

  // MARK: Signing out

  @Test func `signing out deletes the devices of this installation alone`() async throws {
    server.state.withLock { state in
      state.devices.append(FakeDevices.Device(id: UUID(), user: "anna", address: "ipad", installation: UUID().wireText))
    }
    let registration = try registration()
    try await registration.register(.fcmToken("one"))
    try await registration.register(.apns(apns))
    #expect(await registration.signOut())
    #expect(server.devices.map(\.address) == ["ipad"])
    #expect(try await record().deletions.isEmpty)
    // The next one is sent, though nothing of it changed.
    #expect(try await registration.register(.fcmToken("one")))
  }

  @Test func `a registration whose answer was lost is deleted as well`() async throws {
    let registration = try registration()
    server.state.withLock { $0.losesAnswers = true }
    await #expect(throws: BelfryError.self) { try await registration.register(.fcmToken("one")) }
    server.state.withLock { $0.losesAnswers = false }
    #expect(await registration.signOut())
    #expect(server.devices.isEmpty)
  }

  @Test func `offline it is kept, and comes before the next registration`() async throws {
    let first = try registration()
    try await first.register(.fcmToken("one"))
    server.state.withLock { $0.isDown = true }
    #expect(await first.signOut() == false)
    server.state.withLock { $0.isDown = false }
    #expect(server.devices.count == 1)
    // The app was started anew, and Firebase gave another token.
    let next = try registration()
    #expect(try await next.register(.fcmToken("two")))
    #expect(server.calls.suffix(3).map { $0.prefix(4) } == ["GET ", "DELE", "POST"])
    #expect(server.devices.map(\.address) == ["two"])
    #expect(try await record().deletions.isEmpty)
  }

  @Test func `a deletion that fails again stays, and nothing is registered before it`() async throws {
    let first = try registration()
    try await first.register(.fcmToken("one"))
    server.state.withLock { $0.isDown = true }
    await first.signOut()
    let next = try registration()
    await #expect(throws: BelfryError(.offline)) { try await next.register(.fcmToken("two")) }
    #expect(try await record().deletions.count == 1)
    #expect(server.devices.map(\.address) == ["one"])
  }

  @Test func `as long as the app runs, the last token deletes it when the network is back`() async throws {
    let first = try registration()
    try await first.register(.fcmToken("one"))
    server.state.withLock { $0.isDown = true }
    await first.signOut()
    // Somebody else signs in.
    user.withLock { $0 = "bert" }
    server.state.withLock { $0.isDown = false }
    try await first.sendPending()
    #expect(server.devices.isEmpty)
    #expect(try await record().deletions.isEmpty)
  }

  @Test func `if that token has expired it waits for the user's next one`() async throws {
    let first = try registration()
    try await first.register(.fcmToken("one"))
    server.state.withLock { state in
      state.isDown = true
      state.refused = [signedToken("anna")]
    }
    await first.signOut()
    user.withLock { $0 = "bert" }
    server.state.withLock { $0.isDown = false }
    try await first.sendPending()
    #expect(server.devices.map(\.user) == ["anna"])
    #expect(try await record().deletions.map(\.user) == ["anna"])
    server.state.withLock { $0.refused = [] }
    user.withLock { $0 = "anna" }
    try await registration().sendPending()
    #expect(server.devices.isEmpty)
    #expect(try await record().deletions.isEmpty)
  }

  @Test func `the next user takes the same address over, and leaves another one alone`() async throws {
    let first = try registration()
    try await first.register(.fcmToken("one"))
    server.state.withLock { $0.isDown = true }
    await first.signOut()
    server.state.withLock { $0.isDown = false }
    user.withLock { $0 = "bert" }
    let next = try registration()
    try await next.register(.apns(apns))
    #expect(try await record().deletions.map(\.user) == ["anna"])
    try await next.register(.fcmToken("one"))
    #expect(try await record().deletions.isEmpty)
    #expect(Set(server.devices.map(\.user)) == ["bert"])
  }

  @Test func `somebody else's token without a sign-out leaves the first user's devices to be deleted`() async throws {
    try await registration().register(.fcmToken("one"))
    try await registration().register(.apns(apns))
    user.withLock { $0 = "bert" }
    try await registration().register(.fcmToken("one"))
    #expect(try await record().deletions.map(\.user) == ["anna"])
    #expect(try await record().deletions.first?.addresses == [PushAddress.apns(apns).digest])
  }

  @Test func `a server that hangs delays a sign-out by five seconds`() async throws {
    let registration = try registration()
    try await registration.register(.fcmToken("one"))
    server.state.withLock { $0.hangs = true }
    let start = clock.now
    let result = Locked<Bool?>(nil)
    let signingOut = Task {
      let isDone = await registration.signOut()
      result.withLock { $0 = isDone }
    }
    #expect(await clock.advance(upTo: .seconds(10)) { result.withLock { $0 } == false })
    #expect(clock.now.timeIntervalSince(start) < 6)
    #expect(try await record().deletions.count == 1)
    signingOut.cancel()
  }

  @Test func `no more than twenty deletions wait`() async throws {
    server.state.withLock { $0.isDown = false }
    for number in 0..<25 {
      user.withLock { $0 = "user\(number)" }
      try await registration().register(.fcmToken("token\(number)"))
    }
    #expect(try await record().deletions.count == RegistrationRecord.maximumPending)
    #expect(try await record().deletions.last?.user == "user23")
  }

  // MARK: Permission

  @Test func `an answer before the registration is reported with it`() async throws {
    let registration = try registration()
    try await registration.report(.requested)
    try await registration.report(.granted)
    #expect(server.calls.isEmpty)
    try await registration.register(.fcmToken("one"))
    #expect(server.state.withLock { $0.permissions } == [#"{"status":"requested"}"#, #"{"status":"granted"}"#])
    try await registration.report(.denied)
    #expect(server.state.withLock { $0.permissions.count } == 3)
    try await registration.register(.fcmToken("one"))
    #expect(server.state.withLock { $0.permissions.count } == 3)
  }

  @Test(.timeLimit(.minutes(1))) func `a sign-out does not wait for a registration that hangs`() async throws {
    let registration = try registration()
    server.state.withLock { $0.hangs = true }
    let first = Task { try await registration.register(.fcmToken("one")) }
    #expect(await settles { server.calls == ["POST devices"] })
    // The token has changed meanwhile.
    let second = Task { try await registration.register(.fcmToken("two")) }
    for _ in 0..<50 { await Task.yield() }
    server.state.withLock { $0.hangs = false }
    #expect(await registration.signOut())
    await #expect(throws: BelfryError(.ended)) { try await first.value }
    await #expect(throws: BelfryError(.ended)) { try await second.value }
    #expect(server.devices.isEmpty)
    #expect(try await record().deletions.isEmpty)
    user.withLock { $0 = "bert" }
    #expect(try await registration.register(.fcmToken("two")))
    #expect(server.devices.map(\.user) == ["bert"])
  }

  @Test(.timeLimit(.minutes(1))) func `nor for a token that does not come`() async throws {
    let registration = try registration(token: { _ in
      try await Task.sleep(for: .seconds(86_400))
      return ""
    })
    let first = Task { try await registration.register(.fcmToken("one")) }
    for _ in 0..<200 { await Task.yield() }
    _ = await registration.signOut()
    await #expect(throws: BelfryError(.ended)) { try await first.value }
    #expect(server.calls.isEmpty)
  }
}
