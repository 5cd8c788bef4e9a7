import Foundation
import Logging
import NotificationStore
import ServiceRuntime

extension HeldWorker {
  /// Looks, once a minute and at once after a new version, for what is due and of types that the catalogue in force has no more, and
  /// finds those in earlier versions. What is of a type that none has is put off. The log says so once for each type.
  func putOffUnknown(_ unknown: inout UnknownTypes) async throws {
    let revision = types.revision
    guard clock.uncheckedNow >= unknown.next || revision != unknown.revision else { return }
    let now = try await clock.checkedNow()
    unknown.revision = revision
    unknown.next = now + 60
    let missing = try await store.unknownTypes(knowing: types.known().codes, now: now)
    guard !missing.isEmpty, try await !types.find(missing).isEmpty else { return }
    let strangers = try await store.putOff(knowing: types.known().codes, now: now).subtracting(unknown.logged).sorted()
    guard !strangers.isEmpty else { return }
    unknown.logged.formUnion(strangers)
    logger.warning(
      "what is due is of types that are not in this router's catalogue; it waits for one that knows them",
      metadata: ["types": "\(strangers)"]
    )
  }

  /// The types that the log has named, and when it is time to look again.
  struct UnknownTypes {
    fileprivate var logged: Set<Int> = []
    fileprivate var next = Date.distantPast
    /// Of the catalogue, when it was looked last.
    fileprivate var revision: Int?

    init() {}
  }
}
