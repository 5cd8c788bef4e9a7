import BelfryClient
import BelfryClientTesting
import Foundation
import Testing

@testable import AppSample

@MainActor
struct PushesTests {
  @Test func `the app asks in its own words first, and then the system asks once`() async throws {
    let app = TestApp()
    let pushes = try await app.signIn().pushes
    await pushes.cameToFront()
    #expect(pushes.isAsking)
    #expect(await app.system.questions == 0)
    await pushes.turnOn()
    #expect(!pushes.isAsking)
    #expect(pushes.permission == .granted)
    await pushes.cameToFront()
    #expect(!pushes.isAsking)
    #expect(await app.system.questions == 1)
    await app.session.signOut()
  }

  @Test func `whoever says no to the system is not asked again`() async throws {
    let app = TestApp(system: FakeSystem(answer: .denied))
    let pushes = try await app.signIn().pushes
    await pushes.cameToFront()
    await pushes.turnOn()
    #expect(pushes.permission == .denied)
    await pushes.cameToFront()
    #expect(!pushes.isAsking)
    await app.session.signOut()
  }

  @Test func `not now is asked again after a week, and three times at most`() async throws {
    let app = TestApp()
    let pushes = try await app.signIn().pushes
    for _ in 0..<3 {
      await pushes.cameToFront()
      #expect(pushes.isAsking)
      await pushes.notNow()
      await pushes.cameToFront()
      #expect(!pushes.isAsking)
      app.clock.jump(by: .seconds(7 * 86_400))
    }
    await pushes.cameToFront()
    #expect(!pushes.isAsking)
    #expect(await app.system.questions == 0)
    await app.session.signOut()
  }

  @Test func `a sheet that goes because the user turned on is no not now`() async throws {
    let app = TestApp()
    let pushes = try await app.signIn().pushes
    await pushes.cameToFront()
    await pushes.turnOn()
    await pushes.notNow()
    #expect(pushes.permission == .granted)
    await app.session.signOut()
  }

  @Test func `this device is named in the list`() async throws {
    let app = TestApp()
    let account = try await app.signIn()
    await account.pushes.cameToFront()
    await account.pushes.take(Data(repeating: 1, count: 32))
    await account.devices.load()
    let device = try #require(account.devices.devices.first)
    let row = DeviceRow(device, installation: account.pushes.installation, calendar: calendar, locale: locale)
    #expect(row.detail.hasPrefix("This device"))
    #expect(!DeviceRow(device, installation: UUID(), calendar: calendar, locale: locale).detail.contains("This device"))
    #expect(!DeviceRow(device, installation: nil, calendar: calendar, locale: locale).detail.contains("This device"))
    await app.session.signOut()
  }

  @Test func `a registration that fails says why, and works the next time`() async throws {
    let app = TestApp()
    let pushes = try await app.signIn().pushes
    await app.server.goOffline()
    await pushes.register(.fcmToken("token"))
    #expect(pushes.error?.code == .offline)
    await app.server.goOnline()
    await pushes.register(.fcmToken("token"))
    #expect(pushes.error == nil)
    #expect(await app.server.deviceAddresses() == ["token"])
    await app.session.signOut()
  }

  @Test func `while it runs, what is read elsewhere goes from the system's list`() async throws {
    let app = TestApp([.preview("One"), .preview("Two")])
    let account = try await app.signIn()
    #expect(
      await app.settles { account.center.notifications.count == 2 && account.center.connectionState == .connected }
    )
    let ids = account.center.notifications.map(\.id)
    for id in ids { await app.system.show(id) }
    let running = Task { await account.pushes.run() }
    #expect(await app.settles { await !app.system.categories.isEmpty })
    #expect(
      await app.settles {
        await app.server.readElsewhere(ids[0])
        return await app.system.shown.map(\.notification) == [ids[1]]
      }
    )
    await app.session.signOut()
    await running.value
  }
}
