import Metrics
import NotificationModel
import Synchronization

/// The counters of targets that were not tried, made when they are first needed. Kinds of scopes are few, unlike scopes.
final class WithheldCounters: Sendable {
  private struct Key: Hashable {
    var kind: Substring
    var reason: Postponement.Reason
  }

  private let counters = Mutex<[Key: Counter]>([:])

  func counter(
    _ kind: Substring,
    _ reason: Postponement.Reason,
    _ channel: Channel,
    _ factory: any MetricsFactory
  ) -> Counter {
    counters.withLock { counters in
      let key = Key(kind: kind, reason: reason)
      if let counter = counters[key] { return counter }
      let counter = Counter(
        label: "belfry_delivery_withheld",
        dimensions: [("channel", channel.name), ("scope", String(kind)), ("reason", reason.rawValue)],
        factory: factory
      )
      counters[key] = counter
      return counter
    }
  }
}
