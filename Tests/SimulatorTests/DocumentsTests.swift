import Foundation
import Testing

@testable import Simulator

/// The built documentation, of which nothing outside is read.
@Suite struct DocumentsTests {
  /// A site with a page, a folder, and links that lead out and in.
  private func withSite(_ body: (DocumentsDirectory) throws -> Void) throws {
    let files = FileManager.default
    let base = files.temporaryDirectory.appending(path: "belfry-docs-\(UUID().uuidString)")
    defer { try? files.removeItem(at: base) }
    let site = base.appending(path: "site")
    try files.createDirectory(at: site.appending(path: "send"), withIntermediateDirectories: true)
    try Data("secret".utf8).write(to: base.appending(path: "secret.txt"))
    try Data("start".utf8).write(to: site.appending(path: "index.html"))
    try Data("send".utf8).write(to: site.appending(path: "send/index.html"))
    try Data("ä".utf8).write(to: site.appending(path: "über uns.css"))
    try files.createSymbolicLink(
      atPath: site.appending(path: "out.txt").path,
      withDestinationPath: base.appending(path: "secret.txt").path
    )
    try files.createSymbolicLink(atPath: site.appending(path: "in.html").path, withDestinationPath: "index.html")
    // A folder beside the site whose name begins alike.
    try files.createDirectory(at: base.appending(path: "site-old"), withIntermediateDirectories: true)
    try Data("old".utf8).write(to: base.appending(path: "site-old/index.html"))
    try body(DocumentsDirectory(site.path))
  }

  @Test func `files and folders are found`() throws {
    try withSite { site in
      #expect(site.exists)
      #expect(site.find("") == .file(name: "index.html", Array("start".utf8)))
      #expect(site.find("send/") == .file(name: "index.html", Array("send".utf8)))
      #expect(site.find("send") == .folder)
      #expect(site.find("über uns.css") == .file(name: "über uns.css", Array("ä".utf8)))
      #expect(site.find("in.html") == .file(name: "in.html", Array("start".utf8)))
      #expect(site.find("nothing.html") == .nothing)
      #expect(site.find("index.html/") == .nothing)
    }
  }

  @Test(arguments: [
    "../secret.txt", "send/../../secret.txt", "/../secret.txt", "..", "out.txt", "..\\secret.txt", "../site-old/",
    "./index.html",
    "index.html\0.css",
  ])
  func `nothing outside is`(_ path: String) throws {
    try withSite { #expect($0.find(path) == .nothing) }
  }

  @Test func `without a site there is none`() {
    #expect(!DocumentsDirectory("/nowhere").exists)
  }

  @Test func `browsers are told what files are`() {
    #expect(ContentType.of("core.js") == "text/javascript; charset=utf-8")
    #expect(ContentType.of("page.HTML") == "text/html; charset=utf-8")
    #expect(ContentType.of("what") == "application/octet-stream")
  }
}
