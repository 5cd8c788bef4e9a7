import Foundation
import Testing

@testable import LocalStack

struct BelfryProgramsTests {
  /// A folder with executables at these paths.
  private func withFolder(_ programs: [String], checkout: Bool = false, _ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "belfry-programs-\(UUID().uuidString)").path
    defer { unlinkAll(folder) }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for program in programs {
      let path = "\(folder)/\(program)"
      try FileManager.default.createDirectory(
        at: URL(filePath: path).deletingLastPathComponent(),
        withIntermediateDirectories: true
      )
      try #require(
        FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o755])
      )
    }
    if checkout { try Data().write(to: URL(filePath: "\(folder)/Package.swift")) }
    try body(folder)
  }

  private func unlinkAll(_ folder: String) {
    do {
      try FileManager.default.removeItem(atPath: folder)
    } catch {
      Issue.record(error)
    }
  }

  @Test func `what runs the services is beside what they are`() throws {
    try withFolder(["belfry", "belfry-dev"]) { folder in
      let programs = try BelfryPrograms.beside(folder)
      #expect(programs == BelfryPrograms(product: "\(folder)/belfry", workshop: "\(folder)/belfry-dev"))
    }
  }

  @Test(arguments: [(["belfry-dev"], "belfry"), (["belfry"], "belfry-dev")])
  func `whatever is alone says what is missing, and what to do`(_ programs: [String], _ missing: String) throws {
    try withFolder(programs) { folder in
      let error = try #require(throws: LocalStackError.self) { try BelfryPrograms.beside(folder) }
      #expect(error.code == .missingProgram)
      #expect(error.message == "There is no program \(missing) in \(folder).")
      #expect(error.advice?.contains("`make run`") == true)
    }
  }

  @Test func `a release build from before had one program for everything`() throws {
    try withFolder([".build/release/belfry"], checkout: true) { folder in
      let programs = try BelfryPrograms.find(in: folder)
      let belfry = "\(folder)/.build/release/belfry"
      #expect(programs == BelfryPrograms(product: belfry, workshop: belfry))
    }
  }

  @Test func `a checkout's release build has a second one for what no installation needs`() throws {
    try withFolder(["belfry", "belfry-dev", "belfry-bench"].map { ".build/release/\($0)" }, checkout: true) { folder in
      let release = "\(folder)/.build/release"
      let programs = try BelfryPrograms.find(in: folder)
      #expect(
        programs
          == BelfryPrograms(
            product: "\(release)/belfry",
            workshop: "\(release)/belfry-dev",
            bench: "\(release)/belfry-bench"
          )
      )
    }
  }

  @Test func `a folder of programs is taken as it is`() throws {
    try withFolder(["belfry"]) { folder in
      let programs = try BelfryPrograms.find(in: folder + "/")
      #expect(programs.product == "\(folder)/belfry")
    }
  }

  @Test func `a checkout that is not built is told the command that builds it`() throws {
    try withFolder([], checkout: true) { folder in
      let error = try #require(throws: LocalStackError.self) { try BelfryPrograms.find(in: folder) }
      #expect(error.code == .missingProgram)
      #expect(error.advice == "Build it with `make -C \(folder) build CONFIGURATION=release`.")
    }
  }

  @Test func `a folder called belfry is no program, and what is no checkout cannot be built`() throws {
    try withFolder(["belfry/README"]) { folder in
      let error = try #require(throws: LocalStackError.self) { try BelfryPrograms.find(in: folder) }
      #expect(error.message.contains("neither a folder of programs nor a checkout"))
      #expect(error.advice == nil)
    }
  }

  @Test func `services and simulator may be of two builds`() throws {
    try withFolder(["these/belfry-dev", "other/belfry"]) { folder in
      let programs = BelfryPrograms(product: "\(folder)/other/belfry", workshop: "\(folder)/these/belfry-dev")
      let plan = try StackPlan(BelfryStackConfiguration(directory: "\(folder)", programs: programs))
      try plan.linkPrograms()
      for service in BelfryService.allCases {
        let linked = try target(plan.program(service.executable))
        #expect(linked == programs.product)
      }
      let linked = try target(plan.program("belfry-simulator"))
      #expect(linked == programs.workshop)
    }
  }

  private func target(_ link: String) throws -> String {
    try FileManager.default.destinationOfSymbolicLink(atPath: link)
  }
}
