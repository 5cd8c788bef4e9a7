public import CatalogueVersions
import Foundation
import NotificationModel
public import NotificationStore
import Synchronization

/// Versions of the catalogue in memory, and a database that fails when told to.
public final class CatalogueVersionsInMemory: CatalogueVersionReading {
  private struct State {
    var texts: [String] = []
    var failure: (any Error)?
    var looks = 0
    var reads: [Int] = []
  }

  private let state = Mutex(State())

  public init(_ texts: [String] = []) {
    state.withLock { $0.texts = texts }
  }

  /// Puts a text in force as the next version, and answers its number.
  @discardableResult
  public func apply(_ text: String) -> Int {
    state.withLock { state in
      state.texts.append(text)
      return state.texts.count
    }
  }

  /// Fails from now on with this; nil works again.
  public func fail(with error: (any Error)?) { state.withLock { $0.failure = error } }

  /// Forgets versions after this one, as a backup that is restored does.
  public func restore(to number: Int) { state.withLock { $0.texts.removeLast($0.texts.count - number) } }

  /// How often the newest number was asked for.
  public var looks: Int { state.withLock(\.looks) }

  /// Which versions were read, in order.
  public var reads: [Int] { state.withLock(\.reads) }

  public func newest() async throws -> Int {
    try state.withLock { state in
      state.looks += 1
      if let failure = state.failure { throw failure }
      return state.texts.count
    }
  }

  public func version(_ number: Int) async throws -> CatalogueVersion? {
    try state.withLock { state in
      if let failure = state.failure { throw failure }
      state.reads.append(number)
      guard state.texts.indices.contains(number - 1) else { return nil }
      let summary = CatalogueVersion.Summary(
        number: number,
        appliedAt: Date(timeIntervalSince1970: Double(number)),
        appliedBy: "tests",
        changes: []
      )
      return CatalogueVersion(summary, text: state.texts[number - 1])
    }
  }
}
