import Metrics

/// Counts reports of bounces and complaints, for whatever backend of metrics the process has.
///
/// - `belfry_mail_reports`: by `source` (`mail`, `ses`, `postmark`, `sendgrid`, `mailgun`) and `result`: `recorded`, `ignored` (nothing about an
///   address that counts, or no report at all), `unmatched` (about no mail of ours), `forged`, `repeated`, `unreadable`.
struct BounceTelemetry: Sendable {
  enum Result: String, CaseIterable {
    case recorded, ignored, unmatched, forged, repeated, unreadable
  }

  private let counters: [String: Counter]

  init(factory: any MetricsFactory = MetricsSystem.factory) {
    var counters: [String: Counter] = [:]
    for source in BounceSource.allCases {
      for result in Result.allCases {
        counters[Self.key(source, result)] = Counter(
          label: "belfry_mail_reports",
          dimensions: [("source", source.rawValue), ("result", result.rawValue)],
          factory: factory
        )
      }
    }
    self.counters = counters
  }

  private static func key(_ source: BounceSource, _ result: Result) -> String {
    "\(source.rawValue) \(result.rawValue)"
  }

  func count(_ result: Result, from source: BounceSource, by amount: Int = 1) {
    guard amount > 0 else { return }
    counters[Self.key(source, result)]?.increment(by: amount)
  }
}
