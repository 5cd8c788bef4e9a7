/// The figures of one build, round after round, by name and in the order in which they came.
public struct RoundFigures: Sendable {
  private var names: [String] = []
  private var figures: [String: (unit: String, values: [Double])] = [:]

  public init() {}

  /// Adds one round. A name that comes again within it is another figure.
  public mutating func add(_ round: [(name: String, value: Double, unit: String)]) {
    var seen: [String: Int] = [:]
    for (name, value, unit) in round {
      seen[name, default: 0] += 1
      let count = seen[name, default: 1]
      let name = count == 1 ? name : "\(name) (\(count))"
      if figures[name] == nil { names.append(name) }
      figures[name, default: (unit, [])].values.append(value)
    }
  }

  /// Every figure that one of the two has.
  public static func compare(_ these: RoundFigures, with other: RoundFigures) -> [FigureComparison] {
    let names = these.names + other.names.filter { these.figures[$0] == nil }
    return names.map { name in
      FigureComparison(
        name: name,
        unit: these.figures[name]?.unit ?? other.figures[name]?.unit ?? "",
        these: these.figures[name]?.values ?? [],
        other: other.figures[name]?.values ?? []
      )
    }
  }
}
