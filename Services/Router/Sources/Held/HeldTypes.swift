import CatalogueVersions
import NotificationModel
import Synchronization

/// The types by which what waits goes out: those of the catalogue in force; and of types that it has no more, each as the newest
/// version had it that did. What was accepted keeps its words, which are stored, and goes out by the rules that its type last had.
final class HeldTypes: Sendable {
  /// What holds for one claim.
  struct Known: Sendable {
    let catalogue: Catalogue
    fileprivate(set) var former: [Int: NotificationType] = [:]

    var codes: [Int] { catalogue.types.map(\.code) + former.keys.sorted() }

    func type(_ code: Int) -> NotificationType? { catalogue.type(.code(code)) ?? former[code] }
  }

  private struct State {
    var revision: Int
    var known: Known
    /// Codes that no version has.
    var strangers: Set<Int> = []
  }

  private let catalogues: CatalogueInForce
  private let state: Mutex<State>

  init(_ catalogues: CatalogueInForce) {
    self.catalogues = catalogues
    let (revision, current) = catalogues.revised
    state = Mutex(State(revision: revision, known: Known(catalogue: current.catalogue)))
  }

  /// The types of now. What the version before had, which was in memory, is former at once.
  func known() -> Known {
    let (revision, current) = catalogues.revised
    return state.withLock { state in
      guard revision > state.revision else { return state.known }
      var known = Known(catalogue: current.catalogue, former: state.known.former)
      for type in state.known.catalogue.types { known.former[type.code] = type }
      for type in current.catalogue.types { known.former[type.code] = nil }
      state = State(revision: revision, known: known)
      return known
    }
  }

  /// Looks for types in the versions before the current one, and keeps what it finds.
  ///
  /// - Returns: Those that no version has, nor the built-in catalogue.
  func find(_ codes: Set<Int>) async throws -> Set<Int> {
    guard catalogues.followsVersions else { return codes }
    _ = known()
    let (revision, strangers) = state.withLock { ($0.revision, $0.strangers) }
    var missing = codes.subtracting(strangers)
    var found: [Int: NotificationType] = [:]
    var number = catalogues.current.number - 1
    while !missing.isEmpty, number >= 0 {
      if let version = try await catalogues.version(number) {
        for code in missing {
          if let type = version.catalogue.type(.code(code)) { found[code] = type }
        }
        missing.subtract(found.keys)
      }
      number -= 1
    }
    return state.withLock { state in
      for (code, type) in found where state.known.catalogue.type(.code(code)) == nil { state.known.former[code] = type }
      // Another version has come meanwhile: it is looked for again.
      if state.revision == revision { state.strangers.formUnion(missing) }
      return codes.filter { state.known.type($0) == nil }
    }
  }
}
