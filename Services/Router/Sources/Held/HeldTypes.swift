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
    let revised: CatalogueInForce.Revised
    var known: Known
  }

  private let catalogues: CatalogueInForce
  /// Nil until it is known what is in force: what was assumed before is no version that was before.
  private let state = Mutex<State?>(nil)

  init(_ catalogues: CatalogueInForce) { self.catalogues = catalogues }

  /// Grows with each version.
  var revision: Int { catalogues.revised.revision }

  /// The types of now. What the very version before had, which was in memory, is former at once; where versions were skipped, or are
  /// others since a backup was restored, ``find(_:)`` asks for what they had.
  func known() -> Known {
    let revised = catalogues.revised
    return state.withLock { state in
      if let state, state.revised.revision >= revised.revision { return state.known }
      var known = Known(catalogue: revised.catalogue.catalogue)
      guard revised.isKnown else { return known }
      if let state, state.revised.isDirectlyBefore(revised) {
        known.former = state.known.former
        for type in state.known.catalogue.types { known.former[type.code] = type }
        for type in known.catalogue.types { known.former[type.code] = nil }
      }
      state = State(revised: revised, known: known)
      return known
    }
  }

  /// Looks for types in the versions before the current one, and keeps what it finds, one by one: what fails later on loses nothing.
  ///
  /// - Returns: Those that no version has that can be read, nor the built-in catalogue if none has them at all.
  func find(_ codes: Set<Int>) async throws -> Set<Int> {
    guard catalogues.followsVersions else { return codes }
    let known = known()
    let revision = state.withLock { $0?.revised.revision }
    let missing = codes.filter { known.type($0) == nil }
    let earlier = try await catalogues.earlier(knowing: Set(missing.map(String.init)))
    for code in missing.sorted() {
      for number in earlier[String(code)] ?? [] {
        guard let type = try await catalogues.version(number)?.catalogue.type(.code(code)) else { continue }
        // If another version has come meanwhile, it is looked for again.
        state.withLock { state in
          if state?.revised.revision == revision { state?.known.former[code] = type }
        }
        break
      }
    }
    let found = state.withLock { $0?.known } ?? known
    return codes.filter { found.type($0) == nil }
  }
}

extension CatalogueInForce.Revised {
  /// Whether no version was between.
  fileprivate func isDirectlyBefore(_ next: CatalogueInForce.Revised) -> Bool {
    history == next.history && catalogue.number + 1 == next.catalogue.number
  }
}
