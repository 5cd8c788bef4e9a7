import Foundation
import Testing

@testable import NotificationModel

/// How an operator's file is read, and how its problems are said.
@Suite struct CatalogueFileReadingTests {
  private func reading(_ bytes: [UInt8]) throws -> Result<CatalogueText, CatalogueError> {
    let path = FileManager.default.temporaryDirectory.appending(path: "belfry-reading-\(UUID()).yaml").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data(bytes).write(to: URL(filePath: path))
    return Result { () throws(CatalogueError) in try CatalogueText(file: path) }
  }

  @Test func `a file is its text, up to the most bytes that it may have`() throws {
    let largest = Array(repeating: UInt8(ascii: "#"), count: CatalogueText.maximumBytes)
    #expect(try reading(largest).get().yaml.utf8.count == CatalogueText.maximumBytes)
    #expect(try reading(Array("version: 1 # ä\n".utf8)).get().yaml == "version: 1 # ä\n")
    #expect(try reading([]).get().yaml == "")
  }

  @Test(
    arguments: [
      (Array(repeating: UInt8(ascii: "#"), count: CatalogueText.maximumBytes + 1), "has more than 1048576 bytes"),
      (Array("version: 1 # ".utf8) + [0xFF], "is no text in UTF-8"), (Array("version: 1 # \0".utf8), "without U+0000"),
    ] as [([UInt8], String)]
  )
  func `what no gateway takes is refused`(_ bytes: [UInt8], _ words: String) throws {
    let reading = try reading(bytes)
    let error = #expect(throws: CatalogueError.self) { try reading.get() }
    #expect(error?.problems.count == 1 && error?.problems.first?.message.contains(words) == true)
  }

  @Test func `a file that is not there, and a folder, are told apart`() {
    for (path, words) in [("/nowhere/shop.yaml", "there is no such file"), ("/tmp", "cannot be read")] {
      let error = #expect(throws: CatalogueError.self) { try CatalogueText(file: path) }
      #expect(error?.problems.map(\.message) == [words])
    }
  }

  @Test func `a problem is a line with its place, whatever is in it`() {
    let problem = CatalogueProblem(path: "types[0]", message: "is\nwrong", line: 3, column: 5)
    #expect(problem.line(in: "a.yaml") == "a.yaml:3:5: types[0]: is wrong")
    #expect(CatalogueProblem(path: "", message: "m", line: 3).line(in: "a.yaml") == "a.yaml:3: m")
    #expect(CatalogueProblem(path: "", message: "m").line(in: "a.yaml") == "a.yaml: m")
  }
}
