/// One measured figure, with the limit it is held against.
struct Measurement: Codable, Sendable {
  /// What is asked of a figure.
  enum Budget: Codable, Sendable {
    case atLeast(Double)
    case atMost(Double)
    /// Of the limit.
    case shareAtLeast(Double)
    /// So many times the limit.
    case ratioAtMost(Double)
    /// And not more than the limit, where there is one.
    case atMostAndWithinLimit(Double)
  }

  /// A figure of something simpler on the same machine in the same run.
  struct Limit: Codable, Sendable {
    var name: String
    var value: Double
  }

  var suite: Suite
  var what: String
  var value: Double
  /// `/s`, `ms`, `s`, `µs CPU`.
  var unit: String
  var limit: Limit?
  var budget: Budget?
  /// Measured divided by the limit; nil when that is zero.
  var ratio: Double?
  /// nil without a budget, or where the limit that it needs is missing.
  var isMet: Bool?

  init(
    _ suite: Suite,
    _ what: String,
    _ value: Double,
    _ unit: String,
    limit: (name: String, value: Double)? = nil,
    budget: Budget? = nil
  ) {
    self.suite = suite
    self.what = what
    self.value = value
    self.unit = unit
    self.limit = limit.map { Limit(name: $0.name, value: $0.value) }
    self.budget = budget
    ratio = limit.flatMap { $0.value > 0 ? value / $0.value : nil }
    switch budget {
    case .atLeast(let least): isMet = value >= least
    case .atMost(let most): isMet = value <= most
    case .shareAtLeast(let share): isMet = ratio.map { $0 >= share }
    case .ratioAtMost(let most): isMet = ratio.map { $0 <= most }
    case .atMostAndWithinLimit(let most):
      isMet = value > most ? false : limit.map { value <= $0.value }
    case nil: isMet = nil
    }
  }

  /// For a line of progress.
  var line: String {
    let ratio = ratio.map { ", ratio \($0.text(2))" } ?? ""
    let limit = limit.map { " (\($0.name): \($0.value.figure) \(unit)\(ratio))" } ?? ""
    return "\(what): \(value.figure) \(unit)\(limit)"
  }
}

extension Measurement.Budget {
  func text(_ unit: String) -> String {
    switch self {
    case .atLeast(let value): "≥ \(value.figure) \(unit)"
    case .atMost(let value): "≤ \(value.figure) \(unit)"
    case .shareAtLeast(let share): "≥ \(Int((share * 100).rounded())) % of limit"
    case .ratioAtMost(let most): "≤ \(most.figure) × limit"
    case .atMostAndWithinLimit(let value): "≤ \(value.figure) \(unit), ≤ limit"
    }
  }
}
