import Dispatching
import Foundation
import NotificationModel
import NotificationStore
import Synchronization

/// Marks of erased users, in memory.
final class InMemoryErasures: ErasureSource {
  private struct State {
    var marks: [ErasureStore.Mark] = []
    var time = Date.now
    var looks: [Date?] = []
    var error: (any Error)?
  }

  private let state = Mutex(State())

  /// From when on each look wanted to know.
  var looks: [Date?] { state.withLock(\.looks) }

  func erase(_ user: UserID, at time: Date = .now) {
    state.withLock { $0.marks.append(.init(user: user, erasedAt: time)) }
  }

  /// Fails all looks; nil lets them succeed again.
  func fail(_ error: (any Error)?) { state.withLock { $0.error = error } }

  /// What time it is where marks are dated.
  func setTime(_ time: Date) { state.withLock { $0.time = time } }

  func erased(since: Date?) async throws -> ErasureStore.Look {
    try state.withLock { state in
      state.looks.append(since)
      if let error = state.error { throw error }
      return ErasureStore.Look(marks: state.marks.filter { $0.erasedAt >= since ?? .distantPast }, at: state.time)
    }
  }
}
