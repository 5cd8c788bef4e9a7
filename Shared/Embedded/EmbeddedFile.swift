import CEmbedded

/// A file of the repository that is built into the program, so that one file is all there is to install.
///
/// `Shared/CEmbedded/make` lists which ones.
public struct EmbeddedFile: Sendable {
  /// In the repository, e.g. `Shared/NotificationModel/catalogue.yaml`.
  public let path: String
  /// Where it is among all of them.
  private let index: Int

  /// The last part of the path.
  public var name: String { path.split(separator: "/").last.map(String.init) ?? path }

  public var bytes: [UInt8] { withBytes { Array($0) } }

  /// For text files, which are UTF-8.
  public var text: String { withBytes { String(decoding: $0, as: UTF8.self) } }

  /// Every file, in the order of their paths.
  public static let all = (0..<embedded_file_count()).map { index in
    EmbeddedFile(path: String(cString: embedded_files()[index].path), index: index)
  }

  /// Answers every file below a folder, in the order of their paths.
  public static func below(_ folder: String) -> [EmbeddedFile] {
    all.filter { $0.path.hasPrefix(folder + "/") }
  }

  /// Answers the file with that path, which the program names: that it is not built in is a fault of the build, and ends the
  /// process.
  public static func at(_ path: String) -> EmbeddedFile {
    guard let file = byPath[path] else { preconditionFailure("\(path) is not built in: run Shared/CEmbedded/make") }
    return file
  }

  private static let byPath = Dictionary(uniqueKeysWithValues: all.map { ($0.path, $0) })

  private func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    let file = embedded_files()[index]
    return body(UnsafeBufferPointer(start: file.bytes, count: file.size))
  }
}
