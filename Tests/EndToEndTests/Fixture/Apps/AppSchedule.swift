import BelfryClient
import Foundation
import LocalStack
import TestSupport
import Testing

/// Two apps of one user through random faults, and what has to be so once they rest: nothing lost, nothing twice, and both have what the
/// database has.
///
/// A seed gives the same steps again; what they meet depends on the time as well.
struct AppSchedule {
  let seed: UInt64
  let belfry: TestStack
  let killer: ProcessKiller
  let person: Person

  /// In the inbox before anything happens: more than a page.
  fileprivate static let initial = 25

  /// What happened, to be told with a failure.
  private final class Account {
    var steps: [String] = []
    var sent = AppSchedule.initial
    var deletions: [(id: UUID, operation: PendingOperation)] = []
    var operations: [(step: String, operation: PendingOperation)] = []
    var areBehind = [false, false]
  }

  /// Makes the user, before anybody kills anything.
  static func prepare(seed: UInt64, _ belfry: TestStack, _ killer: ProcessKiller) async throws -> AppSchedule {
    let person = try await belfry.makeUser(platforms: [])
    try await belfry.send(1, to: person)
    try await eventually("the first is stored") { try await belfry.inbox(of: person).count == 1 }
    try await belfry.copyFirst(of: person, upTo: initial)
    return AppSchedule(seed: seed, belfry: belfry, killer: killer, person: person)
  }

  func run() async throws {
    try await TestApp.with(belfry, person, TestApp.Options(node: 0, timing: .quick)) { phone in
      try await TestApp.with(belfry, person, TestApp.Options(node: 1, timing: .quick)) { tablet in
        try await run([phone, tablet])
      }
    }
  }

  private func run(_ apps: [TestApp]) async throws {
    var random = SplitMix64(seed: seed)
    let account = Account()
    let initial = Set(try await belfry.inbox(of: person).map(\.id))
    for _ in 0..<(20 + random.below(21)) {
      try await step(apps, account, &random)
      // The pace of a user, not a wait for something.
      try await Task.sleep(for: .milliseconds(random.below(120)))
    }
    for app in apps {
      app.setLines(.whole)
      await app.client.enterForeground()
    }
    do {
      try await rest(apps, account, initial)
    } catch {
      Issue.record("seed \(seed): \(error)\n\(account.steps.joined(separator: ", "))")
    }
  }

  // MARK: What happens

  private func step(
    _ apps: [TestApp],
    _ account: Account,
    _ random: inout SplitMix64
  ) async throws {
    let number = random.below(2)
    let (app, choice, place) = (apps[number], random.below(24), random.below(8))
    let list = await app.client.list().notifications
    let id = list.isEmpty ? nil : list[place % list.count].id
    func note(_ step: String, _ operation: PendingOperation? = nil) {
      account.steps.append("\(number): \(step)")
      if let operation { account.operations.append((account.steps[account.steps.count - 1], operation)) }
    }
    switch (choice, id) {
    case (0...5, _), (_, nil):
      for _ in 0...place % 3 {
        try await belfry.sendSurely(to: person)
        account.sent += 1
      }
      note("send \(place % 3 + 1)")
    case (6...7, let id?): note("read", await app.client.markAsRead([id]))
    case (8, let id?): note("unread", await app.client.markAsUnread(id))
    case (9, _): note("read all", await app.client.markAllAsRead())
    case (10, let id?): note("archive", await app.client.archive(id))
    case (11...12, let id?):
      let operation = await app.client.delete(id)
      account.deletions.append((id, operation))
      note("delete")
    case (13, let id?):
      let operation = await app.client.delete(id)
      account.deletions.append((id, operation))
      note("delete and undo: \(await operation.undo())")
    case (14, _):
      app.setLines(.cut)
      note("cut")
    case (15, _):
      app.hub.condition = .cut
      note("cut the hub")
    case (16, _):
      // For longer than the client waits.
      app.setLines(.silent)
      app.clock.advance(by: .seconds(31))
      note("silence")
    case (17, _):
      app.setLines(.slow(.milliseconds(30 * (place + 1))))
      note("slow")
    case (18...19, _):
      app.setLines(.whole)
      note("mend")
    case (20, _): note("kill \(try await killer.kill(place) ?? "nobody")")
    case (21, _):
      app.tokens.expire()
      note("expire")
    default:
      account.areBehind[number].toggle()
      if account.areBehind[number] { await app.client.enterBackground() } else { await app.client.enterForeground() }
      note(account.areBehind[number] ? "behind" : "in front")
    }
  }

  // MARK: At rest

  private func rest(_ apps: [TestApp], _ account: Account, _ initial: Set<String>) async throws {
    for (step, operation) in account.operations {
      do {
        try await operation.result()
      } catch let error as BelfryError where error.code == .notFound {
        // The other app has deleted it.
      } catch {
        Issue.record("seed \(seed): \(step): \(error)")
      }
    }
    var deleted: Set<UUID> = []
    for (id, operation) in account.deletions where (try? await operation.result()) != nil { deleted.insert(id) }
    try await eventually("\(account.sent) are stored") {
      try await belfry.inbox(of: person).count >= account.sent
    }
    for (number, app) in apps.enumerated() {
      var difference = ""
      do {
        try await eventually("app \(number) is at rest", within: .seconds(60), every: .milliseconds(200)) {
          difference = try await self.difference(app) ?? ""
          return difference.isEmpty
        }
      } catch {
        throw Unrest(description: "app \(number): \(difference)")
      }
    }
    let stored = try await belfry.storedInbox(of: person)
    #expect(stored.seqs == Array(1...account.sent), "seed \(seed)")
    #expect(stored.deleted == deleted, "seed \(seed): \(account.steps)")
    #expect(stored.inbox.count + stored.archived.count + deleted.count == account.sent, "seed \(seed)")
    let new = Set(stored.inbox.map(\.id)).filter { !initial.contains($0.uuidString.lowercased()) }
    for (number, app) in apps.enumerated() {
      try await eventually("app \(number) was told of all \(new.count)", within: .seconds(60)) {
        new.isSubset(of: app.announced)
      }
      let announced = await app.signOut()
      #expect(Set(announced).count == announced.count, "seed \(seed): app \(number) got some twice: \(account.steps)")
    }
  }

  private struct Unrest: Error, CustomStringConvertible {
    let description: String
  }

  /// In what an app has something else than the database; nil if in nothing.
  private func difference(_ app: TestApp) async throws -> String? {
    guard await app.isConnected else { return "it is \(await app.state)" }
    let archive = NotificationFilter(place: .archived)
    await app.client.load(archive)
    let (list, archived) = (try await app.list(), try await app.list(archive))
    let (stored, unread) = (try await belfry.storedInbox(of: person), await app.client.unreadCount)
    let shown = list?.map { StoredInbox.Item(id: $0.id, isRead: $0.isRead) }
    if shown != stored.inbox {
      let (own, others) = (Set(shown?.map(\.id) ?? []), Set(stored.inbox.map(\.id)))
      let missing = others.subtracting(own).count
      let read = shown?.filter { item in !stored.inbox.contains(item) && others.contains(item.id) }.count ?? 0
      return
        "it has \(own.count) of \(others.count): \(missing) missing, \(own.subtracting(others).count) too many, \(read) read otherwise"
    }
    if archived?.map(\.id) != stored.archived {
      return "it has \(archived?.count ?? -1) of \(stored.archived.count) archived"
    }
    return unread == stored.unread ? nil : "it counts \(unread ?? -1) unread of \(stored.unread)"
  }
}

/// Kills processes by SIGKILL and starts them again, one at a time; who asks meanwhile goes on.
actor ProcessKiller {
  private let processes: [StackProcess]
  private var isKilling = false
  private(set) var count = 0

  init(_ processes: [StackProcess]) {
    self.processes = processes
  }

  /// Returns once the process answers again, and gives its name; nil if another one was being killed.
  func kill(_ number: Int) async throws -> String? {
    if isKilling { return nil }
    isKilling = true
    defer { isKilling = false }
    let process = processes[number % processes.count]
    await process.kill()
    try await process.restart()
    count += 1
    return process.name
  }
}
