import Histogram

/// Percentiles of durations in nanoseconds.
struct Latencies: Sendable {
  private var histogram = Histogram<UInt64>(highestTrackableValue: 600_000_000_000)

  init(_ nanoseconds: some Sequence<Int64>) {
    for value in nanoseconds { histogram.record(UInt64(max(0, value))) }
  }

  var count: Int { Int(histogram.totalCount) }

  /// In milliseconds.
  func percentile(_ percent: Double) -> Double {
    Double(histogram.valueAtPercentile(percent)) / 1_000_000
  }
}
