public import Foundation

extension Python {
  /// A script that ended with another status than 0.
  public struct Failed: Error, CustomStringConvertible {
    public let description: String
  }

  /// The lines that a script of this repository writes to standard output until it ends.
  ///
  /// Into a file, not a pipe: a pipe that nobody reads in time stops the script. It blocks its thread.
  public static func lines(of script: String, _ arguments: [String]) throws -> [Data] {
    let file = FileManager.default.temporaryDirectory.appending(path: "belfry-python-\(UUID().uuidString)")
    _ = FileManager.default.createFile(atPath: file.path, contents: nil)
    defer { try? FileManager.default.removeItem(at: file) }
    let output = try FileHandle(forWritingTo: file)
    let process = Process()
    process.executableURL = URL(filePath: try interpreter())
    process.arguments = [Self.script(script)] + arguments
    process.environment = environment
    process.standardOutput = output
    try process.run()
    process.waitUntilExit()
    try output.close()
    guard process.terminationStatus == 0 else {
      throw Failed(description: "\(script) ended with status \(process.terminationStatus)")
    }
    return try Data(contentsOf: file).split(separator: UInt8(ascii: "\n"))
  }
}
