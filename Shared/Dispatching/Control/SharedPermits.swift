import Synchronization

/// Permits that several workers have together: none takes more than its own concurrency, and all of them no more than there are.
///
/// Workers have ranks. Where a worker waits, those of higher ranks leave it what becomes free; each keeps one permit, so that none
/// stands still.
public final class SharedPermits: Sendable {
  private struct State {
    var free: Int
    /// Of each rank.
    var used: [Int]
    var waiting: [Int]
    /// Let a worker look again.
    var wakers: [(@Sendable () -> Void)?]

    func isExhausted(for rank: Int) -> Bool {
      if free == 0 { return true }
      return used[rank] > 0 && free <= waiting[..<rank].reduce(0, +)
    }
  }

  private let state: Mutex<State>

  /// - Parameter ranks: Of workers.
  public init(count: Int, ranks: Int) {
    let none = [Int](repeating: 0, count: ranks)
    state = Mutex(State(free: count, used: none, waiting: none, wakers: .init(repeating: nil, count: ranks)))
  }

  /// What a worker of a rank, from 0, takes permits by.
  public func member(_ rank: Int) -> Member { Member(permits: self, rank: rank) }

  /// A worker's part in permits that it shares.
  public struct Member: Sendable {
    fileprivate let permits: SharedPermits
    fileprivate let rank: Int

    /// Sets who is woken when permits come back.
    func onFree(_ wake: @escaping @Sendable () -> Void) {
      permits.state.withLock { $0.wakers[rank] = wake }
    }

    var isExhausted: Bool { permits.state.withLock { $0.isExhausted(for: rank) } }

    /// Takes a permit, if there is one for this rank.
    func take() -> Bool {
      permits.state.withLock { state in
        guard !state.isExhausted(for: rank) else { return false }
        state.free -= 1
        state.used[rank] += 1
        return true
      }
    }

    /// Gives a permit back. Others hear of it by ``wakeOthers()``.
    func giveBack() {
      permits.state.withLock { state in
        state.free += 1
        state.used[rank] -= 1
      }
    }

    /// From now on a permit is kept for this rank.
    func startWaiting() { permits.state.withLock { $0.waiting[rank] += 1 } }

    func stopWaiting() { permits.state.withLock { $0.waiting[rank] -= 1 } }

    /// Lets the other workers look again, the lowest rank first. Not to be called with a lock that a worker takes to look.
    func wakeOthers() {
      let wakers = permits.state.withLock(\.wakers)
      for (index, wake) in wakers.enumerated() where index != rank { wake?() }
    }
  }
}
