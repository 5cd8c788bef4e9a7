/// The table on the terminal.
enum ResultTable {
  static func text(_ report: BenchReport) -> String {
    var rows = [["what", "measured", "limit", "ratio", "budget", "met"]]
    for item in report.measurements {
      rows.append([
        "\(item.suite.rawValue): \(item.what)",
        "\(item.value.figure) \(item.unit)",
        item.limit.map { "\($0.value.figure) \($0.name)" } ?? "",
        item.ratio?.text(2) ?? "",
        item.budget?.text(item.unit) ?? "",
        item.isMet.map { $0 ? "yes" : "NO" } ?? "",
      ])
    }
    var text = "\n" + aligned(rows)
    if !report.usage.isEmpty { text += "\n\n" + aligned(usage(report)) }
    text += report.notes.map { "\n\n! \($0)" }.joined()
    let machine = report.machine
    text += "\n\n\(machine.processors) processors, load \(machine.loadAverage.text(1)) at the end, "
    text += "\(Int(report.seconds)) s in all"
    return text
  }

  private static func usage(_ report: BenchReport) -> [[String]] {
    var rows = [["process during", "process", "CPU", "CPU each", "resident"]]
    for usage in report.usage {
      for entry in usage.entries {
        rows.append([
          "\(usage.suite.rawValue): \(usage.what)",
          entry.process,
          "\((entry.cpuSeconds / usage.wallSeconds * 100).text(0)) %",
          "\(entry.microsecondsEach.text(1)) µs",
          "\(entry.residentMegabytes.text(0)) MB",
        ])
      }
    }
    return rows
  }

  static func aligned(_ rows: [[String]]) -> String {
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    var lines = rows.map { row in
      zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }.joined(separator: "  ")
    }
    lines.insert(widths.map { String(repeating: "─", count: $0) }.joined(separator: "──"), at: 1)
    return lines.joined(separator: "\n")
  }
}
