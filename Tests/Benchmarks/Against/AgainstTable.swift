import BenchmarkComparison

/// The comparison on the terminal.
enum AgainstTable {
  /// Of each part, so many lines that differ are shown; the JSON has all.
  private static let shownLines = 12

  static func text(_ report: AgainstReport) -> String {
    var rows = [["what", "these", "other", "ratio", "noise", "beyond it"]]
    for figure in report.figures {
      rows.append([
        figure.name, text(figure.medianOfThese, figure.unit), text(figure.medianOfOther, figure.unit),
        figure.ratio?.text(2) ?? "", text(figure.noise, figure.unit), figure.verdict.text,
      ])
    }
    var parts = [
      "\n" + ResultTable.aligned(rows),
      """
      Medians of \(report.rounds) rounds in turns, each on a fresh stack. Noise: the wider of both builds' spreads over their rounds, lowest \
      to highest; marked are medians further apart than that. Of builds that are the same, about \
      \(FigureComparison.markedByChance(rounds: report.rounds)) figures in 100 would be.
      these: \(report.these)
      other: \(report.other)
      """,
    ]
    parts += report.notes.map { "! \($0)" }
    parts.append(messages(report))
    return parts.joined(separator: "\n\n")
  }

  private static func text(_ value: Double?, _ unit: String) -> String {
    value.map { "\($0.figure) \(unit)" } ?? "–"
  }

  private static func messages(_ report: AgainstReport) -> String {
    guard let differences = report.messages else { return "Messages were not compared: no services were measured." }
    guard !differences.isEmpty else {
      return "Queues, the messages of one send and what the gateway answers are alike."
    }
    return differences.map { difference in
      var lines = ["DIFFERENT: \(difference.part)"]
      for (side, own) in [("these", difference.onlyThese), ("other", difference.onlyOther)] {
        lines += own.prefix(shownLines).map { "  only \(side): \($0)" }
        if own.count > shownLines { lines.append("  only \(side): … and \(own.count - shownLines) more") }
      }
      return lines.joined(separator: "\n")
    }
    .joined(separator: "\n")
  }
}

extension FigureComparison.Verdict {
  /// Of these services.
  fileprivate var text: String {
    switch self {
    case .withinNoise: ""
    case .better: "better"
    case .worse: "WORSE"
    case .notComparable: "not comparable"
    }
  }
}
