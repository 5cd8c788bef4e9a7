import Foundation

/// What the person at the terminal sees while it runs; on standard error, so that the table can be piped.
enum Progress {
  static func say(_ text: String) {
    FileHandle.standardError.write(Data("\(text)\n".utf8))
  }
}
