import Foundation
import Logging
import NotificationStore
import ServiceRuntime

extension HeldWorker {
  /// Puts off, once a minute, what is due and of a type that this router does not know. The log says so once for each type.
  func putOffUnknown(_ unknown: inout UnknownTypes) async throws {
    let now = clock()
    guard now >= unknown.next else { return }
    try await clocks?.check()
    unknown.next = now + 60
    let types = try await store.putOff(knowing: types, now: now).subtracting(unknown.logged).sorted()
    guard !types.isEmpty else { return }
    unknown.logged.formUnion(types)
    logger.warning(
      "what is due is of types that are not in this router's catalogue; it waits for one that knows them",
      metadata: ["types": "\(types)"]
    )
  }

  /// The types that the log has named, and when it is time to look again.
  struct UnknownTypes {
    fileprivate var logged: Set<Int> = []
    fileprivate var next = Date.distantPast

    init() {}
  }
}
