/// How long calls take, on the average of about the last so many; of fewer, as long as there are no more.
///
/// So two of different length agree about calls that take the same time, from the first one on.
struct AverageTime {
  private let length: Int
  private var count = 0
  private var average = 0.0

  init(over length: Int) {
    self.length = length
  }

  /// Nil before the first call.
  var seconds: Double? { count == 0 ? nil : average }

  mutating func add(_ seconds: Double) {
    count = min(count + 1, length)
    average += (seconds - average) / Double(count)
  }
}
