import CatalogueVersions
import Foundation
import Logging
import NotificationModel
import ServiceLifecycle
import Synchronization
import TestSupport
import Testing

struct CatalogueInForceTests {
  private struct Away: Error {}

  private static func text(_ code: Int, _ title: String = "T") -> String {
    """
    version: 1
    defaults: { channels: { inApp: true }, priority: normal, timeToLiveDays: 30, title: T, body: B }
    types: [{ code: \(code), name: Type\(code), category: Tests, title: \(title) }]
    """
  }

  private static let unreadable = "version: 1\ntypes: [{ code: here }]"

  private let store = CatalogueVersionsInMemory()
  private let log = LogRecorder()

  private func follow() throws -> CatalogueInForce {
    try CatalogueInForce(file: "", store: store, logger: log.logger)
  }

  @Test func `until the database has answered nothing is known, and then the built-in one or the newest is in force`()
    async throws
  {
    let catalogues = try follow()
    #expect(!catalogues.isKnown && catalogues.problem == "catalogue: not known yet")
    store.fail(with: Away())
    await #expect(throws: Away.self) { try await catalogues.refresh() }
    #expect(!catalogues.isKnown)
    store.fail(with: nil)
    try await catalogues.refresh()
    #expect(catalogues.isKnown && catalogues.problem == nil)
    #expect(catalogues.current.number == 0 && catalogues.current.source == .builtIn)
    store.apply(Self.text(900))
    store.apply(Self.text(901))
    let other = try follow()
    try await other.refresh()
    #expect(other.current.number == 2 && other.current.source == .version && other.summary == "version 2")
    #expect(other.current.catalogue.type(.code(901)) != nil && other.current.catalogue.type(.code(900)) == nil)
  }

  @Test func `a newer version takes the place of the current one, and observers are told before refresh returns`()
    async throws
  {
    let catalogues = try follow()
    let told = Mutex<[Int]>([])
    catalogues.observe { _, catalogue in told.withLock { $0.append(catalogue.number) } }
    try await catalogues.refresh()
    for number in 1...3 {
      store.apply(Self.text(900 + number))
      try await catalogues.refresh()
      try await catalogues.refresh()
      #expect(catalogues.current.number == number)
    }
    #expect(told.withLock(\.self) == [0, 1, 2, 3])
    #expect(store.reads == [1, 2, 3])
  }

  @Test func `of many looks at once none puts an older version in the place of a newer one`() async throws {
    let catalogues = try follow()
    let revisions = Mutex<[Int: Int]>([:])
    catalogues.observe { revision, catalogue in revisions.withLock { $0[revision] = catalogue.number } }
    for _ in 0..<20 {
      store.apply(Self.text(900))
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<8 {
          group.addTask { try await catalogues.refresh() }
        }
        try await group.waitForAll()
      }
    }
    #expect(catalogues.current.number == 20)
    #expect(revisions.withLock { $0.sorted { $0.key < $1.key }.map(\.value) } == Array(1...20))
  }

  @Test func `a version that cannot be read changes nothing, and log and summary name it with its first problem`()
    async throws
  {
    let catalogues = try follow()
    store.apply(Self.text(900))
    try await catalogues.refresh()
    store.apply(Self.unreadable)
    for _ in 0..<3 { try await catalogues.refresh() }
    #expect(catalogues.current.number == 1 && catalogues.isKnown && catalogues.problem == nil)
    #expect(catalogues.summary.hasPrefix("version 1; version 2 cannot be read by this release: "))
    #expect(catalogues.summary.contains("types[0]"))
    #expect(catalogues.openSummary == "version 1" && catalogues.isBehind)
    #expect(store.reads == [1, 2])
    #expect(log.all.count { $0.level == .error && $0.text.contains("types[0]") } == 1)
    store.apply(Self.text(902))
    try await catalogues.refresh()
    #expect(catalogues.summary == "version 3" && !catalogues.isBehind)
  }

  @Test func `at the start a version that cannot be read leaves the process not ready, and it says what to do`()
    async throws
  {
    store.apply(Self.text(900))
    store.apply(Self.unreadable)
    let catalogues = try follow()
    try await catalogues.refresh()
    #expect(!catalogues.isKnown)
    let problem = try #require(catalogues.problem)
    #expect(problem.hasPrefix("catalogue: version 2 cannot be read by this release: ") && problem.contains("types[0]"))
    #expect(log.all.contains { $0.level == .error && $0.text.contains("belfry catalogue rollback") })
    store.apply(Self.text(900))
    try await catalogues.refresh()
    #expect(catalogues.problem == nil && catalogues.current.number == 3)
  }

  @Test func `a restored backup's version is followed too`() async throws {
    let catalogues = try follow()
    for code in 901...903 { store.apply(Self.text(code)) }
    try await catalogues.refresh()
    store.restore(to: 1)
    try await catalogues.refresh()
    #expect(catalogues.current.number == 1 && catalogues.current.catalogue.type(.code(901)) != nil)
  }

  @Test func `a file wins, is known at once, and nothing is followed`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "own.yaml").path
    try Self.text(950).write(toFile: file, atomically: true, encoding: .utf8)
    store.apply(Self.text(900))
    let catalogues = try CatalogueInForce(file: file, store: store, logger: log.logger)
    #expect(catalogues.isKnown && !catalogues.followsVersions && catalogues.current.source == .file(file))
    try await catalogues.refresh()
    #expect(catalogues.current.number == 0 && catalogues.current.catalogue.type(.code(950)) != nil)
    #expect(store.looks == 0 && store.reads.isEmpty)
    #expect(catalogues.summary == "file \(file)")
    #expect(catalogues.openSummary == "file" && !catalogues.isBehind)
  }

  @Test func `other versions are read by number once, as many as there is room for`() async throws {
    for code in 901...920 { store.apply(Self.text(code)) }
    let catalogues = try follow()
    try await catalogues.refresh()
    for _ in 0..<3 {
      #expect(try await catalogues.version(5)?.catalogue.type(.code(905)) != nil)
      #expect(try await catalogues.version(20)?.number == 20)
      #expect(try await catalogues.version(0)?.source == .builtIn)
    }
    #expect(store.reads == [20, 5])
    for number in 6...15 { _ = try await catalogues.version(number) }
    _ = try await catalogues.version(15)
    #expect(store.reads == [20, 5] + Array(6...15))
    _ = try await catalogues.version(5)
    #expect(store.reads.last == 5)
    #expect(try await catalogues.version(21) == nil)
  }

  @Test(.timeLimit(.minutes(1))) func `the service follows by itself, and work begins once something is known`()
    async throws
  {
    struct Work: Service {
      let begun: Mutex<Int?>.Shared
      let catalogues: CatalogueInForce

      func run() async throws {
        begun.set(catalogues.current.number)
        try await gracefulShutdown()
      }
    }
    store.fail(with: Away())
    store.apply(Self.text(900))
    let catalogues = try follow()
    let begun = Mutex<Int?>.Shared(nil)
    let group = ServiceGroup(
      services: [catalogues, AfterCatalogue(catalogues, Work(begun: begun, catalogues: catalogues))],
      logger: .quiet
    )
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      tasks.addTask { try await group.run() }
      try await eventually("it has looked in vain") { store.looks > 1 }
      #expect(begun.value == nil)
      store.fail(with: nil)
      try await eventually("work has begun") { begun.value != nil }
      #expect(begun.value == 1)
      store.apply(Self.text(901))
      try await eventually("the next version is in force") { catalogues.current.number == 2 }
      await group.triggerGracefulShutdown()
      try await tasks.waitForAll()
    }
  }

  @Test(.timeLimit(.minutes(1))) func `who waits for the catalogue stops when the service does`() async throws {
    struct Never: Service {
      func run() async throws { Issue.record("nothing is known") }
    }
    store.fail(with: Away())
    let catalogues = try follow()
    let group = ServiceGroup(services: [catalogues, AfterCatalogue(catalogues, Never())], logger: .quiet)
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      tasks.addTask { try await group.run() }
      try await eventually("it has looked in vain") { store.looks > 0 }
      await group.triggerGracefulShutdown()
      try await tasks.waitForAll()
    }
  }
}

extension Mutex where Value: Sendable {
  /// One that closures and services share.
  fileprivate final class Shared: Sendable {
    private let mutex: Mutex<Value>

    init(_ value: Value) { mutex = Mutex(value) }

    var value: Value { mutex.withLock { $0 } }

    func set(_ value: Value) { mutex.withLock { $0 = value } }
  }
}
