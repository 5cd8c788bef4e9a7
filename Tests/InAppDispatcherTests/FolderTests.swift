import Foundation
import Testing

/// The folders of the hub's sources: each may use those before it, and none behind it.
@Suite struct FolderTests {
  private static let order = ["Hub", "Realtime", "Methods", "Connection", "HTTP", "Server"]

  private struct Source {
    let name: String
    /// Without comments.
    let code: String
  }

  private static func sources(in folder: String) throws -> [Source] {
    let root = URL(filePath: #filePath).appending(path: "../../../Services/InAppDispatcher/Sources").standardizedFileURL
    let directory = root.appending(path: folder)
    return try FileManager.default.contentsOfDirectory(atPath: directory.path()).map { name in
      let text = try String(contentsOf: directory.appending(path: name), encoding: .utf8)
      return Source(name: name, code: text.replacing(/\/\/[^\n]*/, with: ""))
    }
  }

  /// The types that others can use.
  private static func types(in source: Source) -> [String] {
    source.code.matches(of: /(?m)^(?:public |final |indirect )*(?:class|struct|enum|protocol) (\w+)/).map {
      String($0.1)
    }
  }

  @Test func `a folder uses what comes before it, never what comes behind it`() throws {
    let folders = try Self.order.map { (name: $0, sources: try Self.sources(in: $0)) }
    for (index, folder) in folders.enumerated() {
      #expect(!folder.sources.isEmpty)
      let behind = folders[(index + 1)...].flatMap { later in later.sources.flatMap(Self.types) }
      for source in folder.sources {
        let words = Set(source.code.split { !$0.isLetter && !$0.isNumber && $0 != "_" })
        let used = behind.filter { words.contains($0[...]) }
        #expect(used.isEmpty, "\(folder.name)/\(source.name)")
      }
    }
  }
}
