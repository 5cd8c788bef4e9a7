import Foundation
import Testing

@testable import Authentication

extension KeyFile {
  /// Whether a change is noticed, which is then read.
  fileprivate mutating func notices(at now: Date) -> Bool { change(at: now).map { accept($0) } ?? false }
}

@Suite final class KeyFileTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("keys-\(UUID())")
  private let start = Date(timeIntervalSince1970: 1_000)

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit {
    do { try FileManager.default.removeItem(at: folder) } catch { Issue.record(error) }
  }

  private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  private func write(_ text: String, to name: String) throws {
    let file = folder.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  /// Turns a link as Kubernetes does: a new link is renamed over the old one.
  private func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: path("\(name).new"), withDestinationPath: target)
    try #require(rename(path("\(name).new"), path(name)) == 0)
  }

  @Test func `a secret that is rotated by turning a link in its path has changed once`() throws {
    try write("old", to: "..2026_1/jwks.json")
    try write("new", to: "..2026_2/jwks.json")
    try link("..data", to: "..2026_1")
    try link("jwks.json", to: "..data/jwks.json")
    var file = try KeyFile(path: path("jwks.json"), now: start)
    var noticed = [file.notices(at: start + 2)]
    try link("..data", to: "..2026_2")
    noticed.append(file.notices(at: start + 4))
    #expect(try KeyFile.contents(path: path("jwks.json")) == Data("new".utf8))
    noticed.append(file.notices(at: start + 6))
    #expect(noticed == [false, true, false])
  }

  /// Whether a change is noticed. It is made again until the clock of the file system has moved on since the file was written.
  private func notices(_ change: () throws -> Void) throws -> Bool {
    var file = try KeyFile(path: path("jwks.json"), now: start)
    for second in 2..<100_000 {
      try change()
      if file.notices(at: start + Double(second)) { return true }
    }
    return false
  }

  @Test func `a file that may be read only later has changed when it may`() throws {
    try write("keys", to: "jwks.json")
    #expect(try notices { try #require(chmod(path("jwks.json"), 0o400) == 0) })
  }

  @Test func `contents replaced by others of the same size and time have changed`() throws {
    try write("keys1", to: "jwks.json")
    let written = try #require(
      FileManager.default.attributesOfItem(atPath: path("jwks.json"))[.modificationDate] as? Date
    )
    let file = try FileHandle(forWritingTo: folder.appendingPathComponent("jwks.json"))
    let isNoticed = try notices {
      try file.seek(toOffset: 0)
      try file.write(contentsOf: Data("keys2".utf8))
      try FileManager.default.setAttributes([.modificationDate: written], ofItemAtPath: path("jwks.json"))
    }
    try file.close()
    #expect(isNoticed)
  }

  @Test func `a file that is away for a moment has not changed, nor has one looked at within a second`() throws {
    try write("keys", to: "jwks.json")
    var file = try KeyFile(path: path("jwks.json"), now: start)
    try FileManager.default.moveItem(atPath: path("jwks.json"), toPath: path("away"))
    var noticed = [file.notices(at: start + 2)]
    try write("other", to: "jwks.json")
    noticed.append(file.notices(at: start + 2.5))
    noticed.append(file.notices(at: start + 3))
    #expect(noticed == [false, false, true])
  }

  @Test func `a change is noticed at every look, at most once a second, until it has been read`() throws {
    try write("keys", to: "jwks.json")
    var file = try KeyFile(path: path("jwks.json"), now: start)
    try write("other keys", to: "jwks.json")
    let looks = [1, 1.5, 2].map { file.change(at: start + $0) }
    #expect(looks.map { $0 != nil } == [true, false, true])
    let isRead = file.accept(try #require(looks[2]))
    #expect(isRead)
    let again = file.change(at: start + 3)
    #expect(again == nil, "the newest has been read")
  }

  @Test func `of two readers who overlap, the later look wins, whoever ends first`() throws {
    try write("1", to: "jwks.json")
    var file = try KeyFile(path: path("jwks.json"), now: start)
    try write("22", to: "jwks.json")
    let second = file.change(at: start + 1)
    try write("333", to: "jwks.json")
    let third = file.change(at: start + 2)
    let versions = (try #require(second), try #require(third))
    #expect(file.isNews(versions.0))
    let used = [file.accept(versions.1), file.accept(versions.0)]
    #expect(used == [true, false])
    #expect(!file.isNews(versions.0))
    let again = file.change(at: start + 3)
    #expect(again == nil, "the newest has been read")
  }

  @Test func `what cannot be read says why`() throws {
    for (path, reason) in [(folder.path, "Is a directory"), (path("missing"), "No such file or directory")] {
      #expect(throws: AuthenticationError.invalidConfiguration("the key set \(path) cannot be read: \(reason)")) {
        try KeyFile.contents(path: path)
      }
    }
  }
}
