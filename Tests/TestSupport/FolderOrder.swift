import Foundation

/// The folders of a module in the order in which they build on each other: each may use those before it, and none behind it.
package struct FolderOrder {
  private struct Source {
    let path: String
    /// Without comments.
    let code: String

    /// The types that other files can use.
    var types: [String] {
      code.matches(
        of: /(?m)^(?:public |package |final |indirect )*(?:actor|class|enum|protocol|struct|typealias) (\w+)/
      )
      .map { String($0.1) }
    }

    /// What stands in it as the name of a type; of `Unicode.Scalar` the first alone.
    var names: Set<Substring> {
      Set(code.replacing(/\.\w+/, with: "").split { !$0.isLetter && !$0.isNumber && $0 != "_" })
    }
  }

  private let root: URL
  private let folders: [String]

  /// - Parameters:
  ///   - root: The module's folder, from the repository's root.
  ///   - folders: All of its folders that have sources.
  package init(of root: String, _ folders: [String]) {
    self.root = URL(filePath: #filePath).appending(path: "../../../\(root)").standardizedFileURL
    self.folders = folders
  }

  /// Every use of what comes behind, and every folder that the order leaves out or has in vain.
  package func problems() throws -> [String] {
    let present = try FileManager.default.contentsOfDirectory(atPath: root.path()).filter {
      try !sources(in: $0).isEmpty
    }
    var problems = Set(present).symmetricDifference(folders).sorted().map {
      "\($0) is in one of folder and order alone"
    }
    let all = try folders.map { try sources(in: $0) }
    for (index, folder) in all.enumerated() {
      let behind = all[(index + 1)...].joined().flatMap(\.types)
      for source in folder {
        let names = source.names
        problems += behind.filter { names.contains($0[...]) }.map { "\(source.path) uses \($0)" }
      }
    }
    return problems
  }

  private func sources(in folder: String) throws -> [Source] {
    let paths = FileManager.default.enumerator(atPath: root.appending(path: folder).path())?.compactMap {
      $0 as? String
    }
    return try (paths ?? []).filter { $0.hasSuffix(".swift") }.map { path in
      let text = try String(contentsOf: root.appending(path: folder).appending(path: path), encoding: .utf8)
      return Source(path: "\(folder)/\(path)", code: text.replacing(/\/\/[^\n]*/, with: ""))
    }
  }
}
