import BelfryClient
import Foundation
import Gateway

/// Uses clients of one user from many tasks at once, through lost connections, refused requests and users who sign out. Built with the
/// thread sanitizer, it reports what two threads do to the same memory; its own result is that all clients end with what the server has.
@main
struct Races {
  static let clients = 3
  static let rounds = 40

  static func main() async throws {
    let gateway = Gateway(notifications: 120)
    var timing = ClientTiming()
    timing.undo = .milliseconds(20)
    timing.seen = .milliseconds(10)
    timing.verify = .milliseconds(30)
    timing.behind = .milliseconds(10)
    timing.retryMinimum = .milliseconds(5)
    timing.retryMaximum = .milliseconds(50)
    timing.retryLong = .milliseconds(100)
    let folder = FileManager.default.temporaryDirectory.appending(path: "belfry-races-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    var clients: [BelfryClient] = []
    for number in 0..<Self.clients {
      var configuration = try gateway.configuration(timing)
      configuration.cacheDirectory = folder.appending(path: "\(number)")
      clients.append(BelfryClient(configuration) { _ in "token" })
    }
    let models = await MainActor.run { [clients] in clients.map { NotificationCenterModel($0) } }
    for client in clients { await client.connect() }

    await withTaskGroup { group in
      group.addTask { await happen(gateway) }
      for (client, model) in zip(clients, models) {
        for worker in 0..<3 { group.addTask { await use(client, worker) } }
        group.addTask { await tap(model) }
        group.addTask { await flicker(client) }
      }
      for client in clients { group.addTask { await come(client) } }
    }
    await gateway.heal()
    for client in clients {
      await client.connect()
      await client.enterForeground()
    }
    for (number, client) in clients.enumerated() {
      guard await settles(client, gateway) else {
        let (list, inbox) = (await client.list(), await gateway.inbox)
        let ids = Set(list.notifications.map(\.id))
        print(
          """
          error: client \(number) has \(ids.count) with \(await client.unreadCount ?? -1) unread, the server \(inbox.count) with \
          \(await gateway.unreadCount); missing \(Set(inbox).subtracting(ids).count), too many \(ids.subtracting(inbox).count), \
          more: \(list.hasMore), error: \(list.error?.code.rawValue ?? "none")
          """
        )
        exit(1)
      }
    }
    print("at rest: \(clients.count) clients with \(await gateway.inbox.count) notifications")
    for client in clients { await client.signOut() }
  }

  /// What the server and the network do.
  static func happen(_ gateway: Gateway) async {
    await gateway.refuse(every: 7, with: 503)
    for round in 0..<rounds {
      await gateway.notify(5)
      if round.isMultiple(of: 4) { await gateway.cut() }
      try? await Task.sleep(for: .milliseconds(10))
    }
  }

  static func use(_ client: BelfryClient, _ worker: Int) async {
    for round in 0..<rounds {
      let items = await client.list().notifications
      guard let item = items.dropFirst((round * 7 + worker) % 40).first else { continue }
      switch (round + worker) % 8 {
      case 0: await client.markAsRead([item.id])
      case 1: await client.markAsUnread(item.id)
      case 2: await client.archive(item.id)
      case 3: await client.delete(item.id).undo()
      case 4: await client.delete(item.id)
      case 5: await client.markAsSeen(items.prefix(20).map(\.id))
      case 6: await client.loadMore()
      default: await client.refresh()
      }
    }
  }

  @MainActor
  static func tap(_ model: NotificationCenterModel) async {
    for round in 0..<rounds {
      model.filter = NotificationFilter(place: round.isMultiple(of: 5) ? .archived : .inbox)
      if let first = model.notifications.first { await model.markAsRead(first.id) }
      if let last = model.notifications.last { await model.delete(last.id) }
      await model.undoDelete()
      await model.loadMore()
    }
    model.filter = NotificationFilter()
  }

  static func flicker(_ client: BelfryClient) async {
    for round in 0..<rounds {
      if round.isMultiple(of: 2) { await client.enterBackground() } else { await client.enterForeground() }
      if round == rounds / 2 { await client.signOut() }
      if round.isMultiple(of: 10) { await client.disconnect() }
      try? await Task.sleep(for: .milliseconds(12))
      await client.connect()
      await client.startViewing(RelatedEntity(type: "goal", id: "1"))
    }
  }

  /// Reads every stream until the user signs out.
  static func come(_ client: BelfryClient) async {
    await withTaskGroup { group in
      group.addTask { for await _ in client.notifications {} }
      group.addTask { for await _ in client.unreadCounts {} }
      group.addTask { for await _ in client.changes {} }
      group.addTask { for await _ in client.states {} }
      group.addTask { for await _ in client.errors {} }
      group.addTask { for await _ in client.events("BalanceUpdated", as: [String: String].self) {} }
    }
  }

  static func settles(_ client: BelfryClient, _ gateway: Gateway) async -> Bool {
    let deadline = ContinuousClock.now + .seconds(30)
    while ContinuousClock.now < deadline {
      let list = await client.list()
      if list.hasMore {
        await client.loadMore()
      } else if list.notifications.map(\.id) == (await gateway.inbox),
        await client.unreadCount == (await gateway.unreadCount)
      {
        return true
      }
      try? await Task.sleep(for: .milliseconds(20))
    }
    return false
  }
}
