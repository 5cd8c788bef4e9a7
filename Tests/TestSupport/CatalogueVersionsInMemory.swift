public import CatalogueVersions
public import Foundation
import NotificationModel
public import NotificationStore
import Synchronization

/// Versions of the catalogue in memory, and a database that fails when told to.
public final class CatalogueVersionsInMemory: CatalogueVersionReading {
  private struct State {
    var texts: [(text: String, identity: CatalogueVersion.Identity, names: [String]?)] = []
    /// How many were ever applied.
    var count = 0
    var failure: (any Error)?
    var looks = 0
    var searches = 0
    var reads: [Int] = []
  }

  private let state = Mutex(State())

  /// When the first version is applied; each later one comes a second after that before it, also after ``restore(to:)``.
  public static let epoch = Date(timeIntervalSince1970: 1_700_000_000)

  public init(_ texts: [String] = []) {
    for text in texts { apply(text) }
  }

  /// Puts a text in force as the next version, and answers its number.
  ///
  /// - Parameters:
  ///   - names: What it knows; nil is what this release reads in it, or anything if it cannot.
  ///   - time: When; nil is a second after the one before.
  @discardableResult
  public func apply(_ text: String, names: [String]? = nil, at time: Date? = nil) -> Int {
    let names = names ?? (try? Catalogue(overrides: text))?.versionNames
    return state.withLock { state in
      let identity = CatalogueVersion.Identity(
        number: state.texts.count + 1,
        appliedAt: time ?? Self.epoch + Double(state.count)
      )
      state.count += 1
      state.texts.append((text, identity, names))
      return identity.number
    }
  }

  /// Fails from now on with this; nil works again.
  public func fail(with error: (any Error)?) { state.withLock { $0.failure = error } }

  /// Forgets versions after this one, as a backup that is restored does.
  public func restore(to number: Int) { state.withLock { $0.texts.removeLast($0.texts.count - number) } }

  /// How often the newest number was asked for.
  public var looks: Int { state.withLock(\.looks) }

  /// How often versions were searched for names.
  public var searches: Int { state.withLock(\.searches) }

  /// Which versions were read, in order.
  public var reads: [Int] { state.withLock(\.reads) }

  public func newestIdentity() async throws -> CatalogueVersion.Identity? {
    try state.withLock { state in
      state.looks += 1
      if let failure = state.failure { throw failure }
      return state.texts.last?.identity
    }
  }

  public func identity(of number: Int) async throws -> CatalogueVersion.Identity? {
    try state.withLock { state in
      if let failure = state.failure { throw failure }
      return state.texts.first { $0.identity.number == number }?.identity
    }
  }

  public func versions(knowing names: Set<String>, before number: Int, limit: Int) async throws -> [String: [Int]] {
    try state.withLock { state in
      if let failure = state.failure { throw failure }
      state.searches += 1
      var versions: [String: [Int]] = [:]
      for name in names {
        let found = state.texts.filter { $0.identity.number < number && $0.names?.contains(name) != false }
        let numbers = found.map(\.identity.number).sorted(by: >)
        guard let oldest = numbers.last else { continue }
        versions[name] = numbers.count > limit ? Array(numbers.prefix(limit)) + [oldest] : numbers
      }
      return versions
    }
  }

  public func numbers(inForceAt times: [Date]) async throws -> [Int] {
    try state.withLock { state in
      if let failure = state.failure { throw failure }
      return times.map { time in state.texts.last { $0.identity.appliedAt <= time }?.identity.number ?? 0 }
    }
  }

  public func version(_ number: Int) async throws -> CatalogueVersion? {
    try state.withLock { state in
      if let failure = state.failure { throw failure }
      state.reads.append(number)
      guard state.texts.indices.contains(number - 1) else { return nil }
      let version = state.texts[number - 1]
      let summary = CatalogueVersion.Summary(
        number: number,
        appliedAt: version.identity.appliedAt,
        appliedBy: "tests",
        changes: []
      )
      return CatalogueVersion(summary, text: version.text)
    }
  }
}
