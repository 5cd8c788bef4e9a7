import BelfryClient
import Foundation
import LocalStack
import NotificationModel
import TestSupport
import Testing

// The model of the servers has one, too.
import struct BelfryClient.RelatedEntity

extension EndToEndTests {
  /// The client for apps in Swift, over its own transports.
  @Suite(.serialized, .timeLimit(.minutes(5))) struct SwiftClientTests {
    private func client(_ belfry: TestStack, _ person: Person, tokens: [String] = []) throws -> BelfryClient {
      let gateway = try #require(URL(string: belfry.stack.gatewayURL))
      let hub = try #require(URL(string: belfry.stack.hubURL))
      return BelfryClient(BelfryConfiguration(gateway: gateway, hub: hub)) { reason in
        reason == .needed ? tokens.first ?? person.token : person.token
      }
    }

    /// The whole inbox, as the client has it once it has read all pages. Of what is sent at the same time ids may be in another order.
    private func seqs(_ client: BelfryClient) async -> [Int] {
      while await client.list().hasMore { await client.loadMore() }
      return await client.list().notifications.compactMap { $0.seq.map(Int.init) }.sorted()
    }

    private func isConnected(_ client: BelfryClient) async -> Bool {
      for await state in client.states { return state == .connected }
      return false
    }

    @Test func `an app has everything once, though nodes are killed under it`() async throws {
      try await TestStack.with { belfry in
        let person = try await belfry.makeUser(platforms: [])
        try await belfry.send(30, to: person)
        try await eventually("30 are stored", within: .seconds(30)) { try await belfry.inbox(of: person).count == 30 }
        let client = try client(belfry, person)
        let announcements = Announcements(client)
        await client.connect()
        try await eventually("it is connected", within: .seconds(30)) { await isConnected(client) }
        try await eventually("the list is read", within: .seconds(30)) { await seqs(client) == Array(1...30) }
        for _ in 0..<3 {
          async let sending: Void = belfry.send(40, to: person)
          for node in belfry.stack.services(.inapp) {
            await node.kill()
            try await node.restart()
          }
          try await sending
        }
        try await eventually("150 are stored", within: .seconds(30)) { try await belfry.inbox(of: person).count == 150 }
        try await eventually("the client has them", within: .seconds(60)) { await seqs(client) == Array(1...150) }
        let unread = try await belfry.unreadCount(of: person)
        try await eventually("the count is the server's", within: .seconds(30)) { await client.unreadCount == unread }
        try await eventually("it has announced them", within: .seconds(60)) { announcements.all.count >= 120 }
        await client.signOut()
        #expect(await announcements.untilTheEnd().compactMap(\.seq).sorted() == (31...150).map(Int64.init))
      }
    }

    @Test func `two apps of one user are in step`() async throws {
      try await TestStack.with { belfry in
        let person = try await belfry.makeUser(platforms: [])
        try await belfry.send(5, to: person)
        try await eventually("5 are stored", within: .seconds(30)) { try await belfry.inbox(of: person).count == 5 }
        let (phone, tablet) = (try client(belfry, person), try client(belfry, person))
        for client in [phone, tablet] {
          await client.connect()
          try await eventually("it is connected", within: .seconds(30)) { await isConnected(client) }
          try await eventually("it has the list", within: .seconds(30)) { await seqs(client) == Array(1...5) }
        }
        let items = await phone.list().notifications
        try await phone.markAsRead([items[0].id, items[1].id]).result()
        try await phone.archive(items[2].id).result()
        try await tablet.snooze(items[3].id, until: Date(timeIntervalSinceNow: 3_600)).result()
        try await tablet.markAsUnread(items[0].id).result()
        try await tablet.perform("none", of: items[4].id).resultCode(.notFound)
        for client in [phone, tablet] {
          try await eventually("both have the same", within: .seconds(30)) {
            let list = await client.list().notifications
            return list.map(\.id) == [items[0].id, items[1].id, items[4].id]
              && list.map(\.isRead) == [false, true, false]
          }
          #expect(await client.unreadCount == 2)
        }
        #expect(try await belfry.unreadCount(of: person) == 2)
        await phone.signOut()
        await tablet.signOut()
      }
    }

    @Test func `a token that has expired is asked for again, once`() async throws {
      try await TestStack.with { belfry in
        let person = try await belfry.makeUser(platforms: [])
        let expired = try await belfry.token(person.id, lifetime: .seconds(-3_600))
        let client = try client(belfry, person, tokens: [expired])
        await client.connect()
        try await eventually("it is connected", within: .seconds(30)) { await isConnected(client) }
        await client.signOut()
        let stranger = try await belfry.token(person.id, secret: String(repeating: "x", count: 64))
        let refused = try self.client(belfry, Person(id: person.id, token: stranger, email: person.email))
        await refused.connect()
        try await eventually("it is unauthorized", within: .seconds(30)) {
          for await state in refused.states { return state == .unauthorized }
          return false
        }
        await refused.signOut()
      }
    }

    @Test func `all calls of an app are answered`() async throws {
      try await TestStack.with { belfry in
        let person = try await belfry.makeUser(platforms: [])
        let client = try client(belfry, person)
        let rest = client.rest
        var update = PreferencesUpdate()
        update.types = [12: PreferencesUpdate.Switches(push: false)]
        update.timezone = .set("Europe/Berlin")
        let preferences = try await rest.updatePreferences(update, ifMatch: try await rest.getPreferences().etag)
        #expect(preferences.types.first { $0.type == 12 }?.switches.push == false)
        #expect(preferences.effectiveTimezone == "Europe/Berlin")
        let quiet = try await rest.updateQuietHours(QuietHoursUpdate(isEnabled: true, start: "22:00", end: "07:00"))
        #expect(quiet.quietHoursStart == "22:00:00")
        let entity = RelatedEntity(type: "conversation", id: "c/1 ä")
        try await rest.muteEntity(entity, until: Date(timeIntervalSinceNow: 3_600))
        #expect(try await rest.listMutes().map(\.entity) == [entity])
        try await rest.unmuteEntity(entity)
        #expect(try await rest.listMutes().isEmpty)
        let installation = UUID()
        let device = try await rest.registerDevice(
          DeviceRegistration(.token("fcm-\(installation)"), installationId: installation, deviceName: "Phone")
        )
        try await rest.reportDevicePermission(.granted, device: device.id)
        let native = NativeDeviceToken(Data(repeating: 7, count: 32), installationId: installation)
        #expect(try await rest.registerNativeDeviceToken(native, userId: person.id.description).kind == "apns")
        #expect(Set(try await rest.listDevices().map(\.installationId)) == [installation])
        try await rest.deleteCurrentDevice(address: native.token)
        #expect(try await rest.listDevices().isEmpty)
        #expect(try await rest.getCatalogue(locale: "de").types.contains { $0.code == 12 })
        #expect(try await rest.getUnreadCount() == (0, 0))
        #expect(try await rest.markNotificationsSeen(nil) == 0)
        #expect(try await rest.deleteReadNotifications() == 0)
        #expect(try await rest.listChanges(since: 0).isComplete)
        await client.signOut()
      }
    }
  }
}

extension PendingOperation {
  /// Waits for an operation that is to be taken back.
  fileprivate func resultCode(_ code: BelfryError.Code) async throws {
    let error = await #expect(throws: BelfryError.self) { try await result() }
    #expect(error?.code == code)
  }
}
