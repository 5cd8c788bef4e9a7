import Embedded
import Foundation
import BelfryJSON
import TestSupport
import Testing

@testable import NotificationModel

@Suite struct CatalogueFormTests {
  private static let files = SampleFile.all

  @Test(arguments: files)
  func `a file is taken, or refused with its place and the entry's name`(_ file: SampleFile) {
    let failure: String?
    do {
      _ = try Catalogue(overrides: file.yaml)
      failure = nil
    } catch {
      failure = error.description
    }
    guard file.expectation != .good else {
      #expect(failure == nil)
      return
    }
    let message = (failure ?? "nothing").replacing("catalogue file: ", with: "")
    #expect(message.contains(file.message))
  }

  @Test func `everything that is wrong is reported at once`() throws {
    let failure = #expect(throws: CatalogueError.self) {
      try Catalogue(overrides: "version: 3\nevents:\n- { name: A, argument: [b] }\n- { nam: B }")
    }
    #expect(
      failure?.description
        == "catalogue file: version: 3 is not 1; events[0] (A).argument: is not a known field; did you mean "
        + "arguments?; events[1].nam: is not a known field; did you mean name?; events[1].name: is required"
    )
  }

  @Test func `YAML that does not parse, or says something twice, is refused`() {
    #expect(throws: CatalogueError.self) { try Catalogue(overrides: "types: [") }
    #expect(throws: CatalogueError.self) { try Catalogue(overrides: "version: 1\nversion: 1\nevents: []") }
  }

  @Test func `YAML is read by version 1_2: only true and false are booleans, and a time is a text`() throws {
    let json = try CatalogueYAML.json("{ on: off, a: 19:00, b: 1.50, c: true, d: ~, e: '5', f: 0x10, g: 010 }")
    #expect(
      JSONWriter.text(json) == #"{"on":"off","a":"19:00","b":1.50,"c":true,"d":null,"e":"5","f":"0x10","g":"010"}"#
    )
  }

  @Test func `the schema decides on every file as the parser does, as far as a schema can see`() throws {
    let builtIn = EmbeddedFile.at("Shared/NotificationModel/catalogue.yaml").text
    let files = Self.files + [SampleFile(yaml: builtIn, expectation: .good)]
    let documents = try files.map { JSONWriter.text(try CatalogueYAML.json($0.yaml)) }
    let schema = String(decoding: Catalogue.schema, as: UTF8.self)
    let answers = try Self.validate(#"{"schema":\#(schema),"documents":[\#(documents.joined(separator: ","))]}"#)
    #expect(answers.count == files.count)
    for (file, answer) in zip(files, answers) {
      #expect((answer != nil) == (file.expectation == .bad), "\(file.testDescription): \(answer ?? "no objection")")
    }
  }

  private static func validate(_ job: String) throws -> [String?] {
    let input = FileManager.default.temporaryDirectory.appending(path: "belfry-schema-\(UUID()).json")
    try Data(job.utf8).write(to: input)
    defer { try? FileManager.default.removeItem(at: input) }
    let process = Process()
    process.executableURL = URL(filePath: try Python.interpreter())
    process.arguments = [Python.script("Tests/NotificationModelTests/Support/schema_judge.py")]
    process.environment = Python.environment
    process.standardInput = try FileHandle(forReadingFrom: input)
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let answer = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return try JSONDecoder().decode([String?].self, from: answer)
  }
}
