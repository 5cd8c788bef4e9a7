/// A line of a document that somebody types to call one of the programs, alone or with settings in front of it.
package struct ShownCommand: Sendable {
  package let arguments: [String]
  /// The document, and the line.
  package let place: String

  /// Those of a program, by its name or where a debug build has it.
  package static func all(of program: String) throws -> [ShownCommand] {
    try Repository.documents().flatMap { path in
      try Repository.text(path).split(separator: "\n").compactMap { line in
        let words = line.split(separator: " ").drop { $0.wholeMatch(of: /[A-Z_]+=\S+/) != nil }
        guard let name = words.first, name == program || name == ".build/debug/\(program)" else { return nil }
        // A sample's variable of that name.
        if words.dropFirst().first == "=" { return nil }
        // Up to a comment, or to where the output goes.
        let arguments = words.dropFirst().prefix { !["#", "<", ">"].contains($0) }.map { word in
          String(word.replacing(/<(user|request)>/, with: "6f1c2b7e-3d4a-4e5f-8a9b-0c1d2e3f4a5b"))
        }
        return ShownCommand(arguments: arguments, place: "\(path): \(line)")
      }
    }
  }
}
