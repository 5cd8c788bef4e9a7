import Foundation

@testable import Simulator

extension DataDirectory {
  /// Makes a folder for the time of the closure.
  static func temporary<Result>(_ body: (DataDirectory) throws -> Result) throws -> Result {
    let directory = try DataDirectory(FileManager.default.temporaryDirectory.path + "/simulator-\(UUID())")
    let result = Swift.Result { try body(directory) }
    try FileManager.default.removeItem(atPath: directory.path)
    return try result.get()
  }
}
