import CPostgreSQL

/// All values of a result in one buffer, copied out of libpq's memory.
@usableFromInline final class PostgresRowStorage: Sendable {
  @usableFromInline struct Cell: Sendable {
    @usableFromInline let offset: UInt32
    /// -1 is NULL.
    @usableFromInline let length: Int32
  }

  static let maximumBytes = Int(UInt32.max)

  @usableFromInline let columns: PostgresColumns
  let rows: Int
  let affectedRows: Int
  @usableFromInline let cells: [Cell]
  @usableFromInline let bytes: [UInt8]

  /// Nil if the values take more than 4 GiB.
  init?(_ result: OpaquePointer, columns: PostgresColumns) {
    let rows = PQntuples(result)
    let width = PQnfields(result)
    var total = 0
    var cells: [Cell] = []
    cells.reserveCapacity(Int(rows) * Int(width))
    for row in 0..<rows {
      for column in 0..<width {
        let length = PQgetisnull(result, row, column) == 1 ? -1 : PQgetlength(result, row, column)
        guard total <= Self.maximumBytes else { return nil }
        cells.append(Cell(offset: UInt32(total), length: length))
        total += Int(max(0, length))
      }
    }
    self.cells = cells
    bytes = [UInt8](unsafeUninitializedCapacity: total) { buffer, count in
      for row in 0..<rows {
        for column in 0..<width {
          let cell = cells[Int(row) * Int(width) + Int(column)]
          guard cell.length > 0, let value = PQgetvalue(result, row, column) else { continue }
          UnsafeMutableRawPointer(buffer.baseAddress! + Int(cell.offset))
            .copyMemory(from: value, byteCount: Int(cell.length))
        }
      }
      count = total
    }
    self.columns = columns
    self.rows = Int(rows)
    affectedRows = Int(String(cString: PQcmdTuples(result))) ?? 0
  }

  @inlinable func decode<T: PostgresDecodable>(row: Int, column: Int) throws(PostgresError) -> T {
    let cell = cells[row * columns.types.count + column]
    let type = columns.types[column]
    guard cell.length >= 0 else { return try T(from: PostgresCell(type: type, bytes: nil)) }
    return try bytes.withUnsafeBufferPointer { buffer throws(PostgresError) -> T in
      let range = Int(cell.offset)..<Int(cell.offset) + Int(cell.length)
      let slice = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[range])
      return try T(from: PostgresCell(type: type, bytes: slice))
    }
  }
}
