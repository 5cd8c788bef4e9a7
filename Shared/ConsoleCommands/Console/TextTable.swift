public import BelfryJSON
import TerminalText

/// Columns for a person to read, each as wide as its widest cell.
public struct TextTable {
  public struct Column: Sendable {
    public var heading: String
    /// Then it stands on the right.
    public var isNumber: Bool

    public init(heading: String, isNumber: Bool = false) {
      self.heading = heading
      self.isNumber = isNumber
    }
  }

  private let columns: [Column]
  private var rows: [[String]] = []

  public init(_ columns: [Column]) {
    self.columns = columns
  }

  /// - Parameter cells: As many as columns.
  public mutating func add(_ cells: [String]) {
    rows.append(cells.map { $0.escapedForTerminal() })
  }

  /// The headings, then a line for each row.
  public var lines: [String] {
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
public struct JSONColumn: Sendable {
  fileprivate let column: TextTable.Column
  fileprivate let cell: @Sendable (JSONValue) -> String

  /// Shows a member.
  public init(_ heading: String, _ member: String) {
    self.init(heading) { $0[member]?.shown ?? "-" }
  }

  public init(_ heading: String, isNumber: Bool = false, _ cell: @escaping @Sendable (JSONValue) -> String) {
    column = TextTable.Column(heading: heading, isNumber: isNumber)
    self.cell = cell
  }

  /// Shows a member that is a number.
  public static func number(_ heading: String, _ member: String) -> JSONColumn {
    JSONColumn(heading, isNumber: true) { $0[member]?.shown ?? "-" }
  }
}

extension TextTable {
  /// A row for each element.
  public init(_ columns: [JSONColumn], of elements: [JSONValue]) {
    self.init(columns.map(\.column))
    for element in elements { add(columns.map { $0.cell(element) }) }
  }
}
