import Foundation

/// Belfry's one program, which is each of its services when it is called by that service's name.
public enum BelfryProgram {
  /// This program, or the one beside it: tests run inside another one of the same folder.
  public static var path: String {
    let program =
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
    return URL(filePath: program).deletingLastPathComponent().appending(path: "belfry").path
  }

  /// Makes a link to the program in a folder for each name, in place of those of an earlier start.
  static func link(_ program: String, as names: [String], in folder: String) throws(LocalStackError) {
    try Files.makeDirectory(folder)
    for name in names { try Files.link("\(folder)/\(name)", to: program) }
  }
}
