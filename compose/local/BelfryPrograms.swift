import Foundation

/// Where Belfry's executables are.
public enum BelfryPrograms {
  /// The directory of this program, which is that of the others too: in a build folder and in an image alike.
  ///
  /// Tests run inside a program of the same folder.
  public static var directory: String {
    let program =
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
    return URL(filePath: program).deletingLastPathComponent().path
  }
}
