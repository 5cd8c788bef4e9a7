import BelfryClient
import Foundation
import Gateway
import Observation

/// The longest turn of the main actor while a thousand notifications arrive in a list of `notifications`.
///
/// A task that runs on the main actor again and again reads how much processor time the main thread has used. Between two readings each
/// other turn that waited has run, so that the longest difference is at least the longest turn, and other processes do not count.
@main
@MainActor
struct Turns {
  nonisolated static let arrivals = 1_000

  static func main() async throws {
    let count = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 1_000
    let gateway = Gateway(notifications: count)
    let client = BelfryClient(try gateway.configuration()) { _ in "token" }
    let model = NotificationCenterModel(client)
    await client.connect()
    while !model.isLoaded || model.connectionState != .connected { try await Task.sleep(for: .milliseconds(5)) }
    while model.hasMore { await model.loadMore() }
    let screen = Screen(model)
    screen.draw()
    let clock = MainThreadClock()

    let sending = Task.detached {
      for number in 0..<arrivals {
        await gateway.notify()
        // Faster than anybody sends; a little slower than at once, so that the list changes often.
        if number.isMultiple(of: 10) { try? await Task.sleep(for: .milliseconds(4)) }
      }
    }
    var turns: [Double] = []
    let deadline = ContinuousClock.now + .seconds(60)
    while model.unreadCount != count + arrivals || model.notifications.count != count + arrivals {
      guard ContinuousClock.now < deadline else {
        print("error: \(model.notifications.count) of \(count + arrivals)")
        exit(1)
      }
      let before = clock.seconds
      await Task.yield()
      turns.append(clock.seconds - before)
    }
    await sending.value
    turns.sort()
    let longest = (turns.last ?? 0) * 1_000
    let busy = turns.reduce(0, +) * 1_000
    print(
      """
      {"list":\(count),"arrivals":\(arrivals),"longest":\(text(longest)),"busy":\(text(busy)),"readings":\(turns.count),\
      "drawings":\(screen.drawings)}
      """
    )
    await client.signOut()
  }

  static func text(_ milliseconds: Double) -> String { "\((milliseconds * 1_000).rounded() / 1_000)" }
}

/// What a view does with the model: it reads what it shows, and again after each change.
@MainActor
final class Screen {
  private let model: NotificationCenterModel
  private(set) var drawings = 0
  private var shown = 0

  init(_ model: NotificationCenterModel) {
    self.model = model
  }

  func draw() {
    drawings += 1
    withObservationTracking {
      shown = model.notifications.prefix(20).reduce(model.unreadCount ?? 0) { $0 + $1.title.utf8.count }
    } onChange: { [weak self] in
      Task { @MainActor in self?.draw() }
    }
  }
}

/// The processor time of the thread that makes it, which is the main actor's.
@MainActor
struct MainThreadClock {
  var seconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
