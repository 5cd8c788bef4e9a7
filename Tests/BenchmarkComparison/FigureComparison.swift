/// One figure of two builds that were measured in turns: whether they differ, or that is noise.
///
/// The noise is the figure's own: the wider of the two builds' spreads, from the lowest round to the highest. The medians differ only
/// if they lie further apart than that. Of two builds that are the same, a figure measured so is marked in 6 of 100 cases after three
/// rounds, in 1.3 after four and in 0.4 after five (values of a normal distribution).
public struct FigureComparison: Codable, Sendable, Equatable {
  public enum Verdict: String, Codable, Sendable {
    /// The medians are no further apart than the rounds of one build.
    case withinNoise
    /// These services are better than the other build's.
    case better
    case worse
    /// One of them has fewer than ``FigureComparison/leastRounds`` rounds of it, perhaps none.
    case notComparable
  }

  /// Fewer rounds say nothing of noise.
  public static let leastRounds = 3

  public let name: String
  public let unit: String
  /// Round by round.
  public let these: [Double]
  public let other: [Double]
  public let medianOfThese: Double?
  public let medianOfOther: Double?
  /// These divided by the other; nil where that is nothing.
  public let ratio: Double?
  /// In the figure's unit.
  public let noise: Double
  public let verdict: Verdict

  /// - Parameter unit: Of rates, which end in `/s`, more is better; of all else, less.
  public init(name: String, unit: String, these: [Double], other: [Double]) {
    self.name = name
    self.unit = unit
    self.these = these
    self.other = other
    let (mine, others) = (Self.median(these), Self.median(other))
    medianOfThese = mine
    medianOfOther = others
    noise = max(Self.spread(these), Self.spread(other))
    guard let mine, let others else {
      ratio = nil
      verdict = .notComparable
      return
    }
    ratio = others == 0 ? nil : mine / others
    if min(these.count, other.count) < Self.leastRounds {
      verdict = .notComparable
    } else if abs(mine - others) <= noise {
      verdict = .withinNoise
    } else {
      verdict = (mine > others) == unit.hasSuffix("/s") ? .better : .worse
    }
  }

  /// Of 100 figures of two builds that are the same, how many are marked after so many rounds, roughly.
  public static func markedByChance(rounds: Int) -> String {
    switch rounds {
    case ...3: "6"
    case 4: "1.3"
    case 5: "0.4"
    default: "fewer than 0.1"
    }
  }

  /// The middle one, or the mean of the two in the middle; nil of nothing.
  public static func median(_ values: [Double]) -> Double? {
    guard !values.isEmpty else { return nil }
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }

  private static func spread(_ values: [Double]) -> Double {
    guard let least = values.min(), let most = values.max() else { return 0 }
    return most - least
  }
}
