public import CEmbedded

/// A file of the repository that is built into a program, so that one file is all there is to install.
///
/// `Shared/CEmbedded/make` lists which ones.
public struct EmbeddedFile: Sendable {
  /// Answers the files of a program, as C has them: `product_files`, or `workshop_files` for what is not installed.
  public typealias List = @Sendable () -> embedded_files

  /// In the repository, e.g. `Shared/NotificationModel/catalogue.yaml`.
  public let path: String
  private let list: List
  /// Where it is in the list.
  private let index: Int

  /// The last part of the path.
  public var name: String { path.split(separator: "/").last.map(String.init) ?? path }

  public var bytes: [UInt8] { withBytes { Array($0) } }

  /// For text files, which are UTF-8.
  public var text: String { withBytes { String(decoding: $0, as: UTF8.self) } }

  /// Answers every file, in the order of their paths.
  public static func all(of list: @escaping List = product_files) -> [EmbeddedFile] {
    let files = list()
    return (0..<files.count).map { index in
      EmbeddedFile(path: String(cString: files.first[index].path), list: list, index: index)
    }
  }

  /// Answers every file below a folder, in the order of their paths.
  public static func below(_ folder: String, of list: @escaping List = product_files) -> [EmbeddedFile] {
    all(of: list).filter { $0.path.hasPrefix(folder + "/") }
  }

  /// Answers the file with that path, which the program names: that it is not built in is a fault of the build, and ends the
  /// process.
  public static func at(_ path: String, of list: @escaping List = product_files) -> EmbeddedFile {
    guard let file = all(of: list).first(where: { $0.path == path }) else {
      preconditionFailure("\(path) is not built in: run Shared/CEmbedded/make")
    }
    return file
  }

  private func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    let file = list().first[index]
    return body(UnsafeBufferPointer(start: file.bytes, count: file.size))
  }
}
