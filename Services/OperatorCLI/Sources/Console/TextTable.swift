import JSON
import TerminalText

/// Columns for a person to read, each as wide as its widest cell.
struct TextTable {
  struct Column: Sendable {
    var heading: String
    /// Then it stands on the right.
    var isNumber = false
  }

  private let columns: [Column]
  private var rows: [[String]] = []

  init(_ columns: [Column]) {
    self.columns = columns
  }

  /// - Parameter cells: As many as columns.
  mutating func add(_ cells: [String]) {
    rows.append(cells.map { $0.escapedForTerminal() })
  }

  /// The headings, then a line for each row.
  var lines: [String] {
    let table = [columns.map(\.heading)] + rows
    let widths = columns.indices.map { column in table.map { $0[column].count }.max() ?? 0 }
    return table.map { cells in
      let padded = columns.indices.map { column in
        let blanks = String(repeating: " ", count: widths[column] - cells[column].count)
        return columns[column].isNumber ? blanks + cells[column] : cells[column] + blanks
      }
      return String(padded.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
    }
  }
}

/// A column of a list of JSON objects.
struct JSONColumn: Sendable {
  fileprivate let column: TextTable.Column
  fileprivate let cell: @Sendable (JSONValue) -> String

  /// Shows a member.
  init(_ heading: String, _ member: String) {
    self.init(heading) { $0[member]?.shown ?? "-" }
  }

  init(_ heading: String, isNumber: Bool = false, _ cell: @escaping @Sendable (JSONValue) -> String) {
    column = TextTable.Column(heading: heading, isNumber: isNumber)
    self.cell = cell
  }

  /// Shows a member that is a number.
  static func number(_ heading: String, _ member: String) -> JSONColumn {
    JSONColumn(heading, isNumber: true) { $0[member]?.shown ?? "-" }
  }
}

extension TextTable {
  /// A row for each element.
  init(_ columns: [JSONColumn], of elements: [JSONValue]) {
    self.init(columns.map(\.column))
    for element in elements { add(columns.map { $0.cell(element) }) }
  }
}
