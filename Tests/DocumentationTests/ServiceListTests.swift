import Foundation
import LocalStack
import TestSupport
import Testing

/// Wherever all services are named, they are the same ones.
@Suite struct ServiceListTests {
  private let services = Set(BelfryService.allCases.map(\.rawValue))
  /// By which names the one program is called, besides its own.
  private let links = Set(BelfryService.allCases.map(\.executable)).union(["belfry-simulator"])

  @Test func `compose.yaml runs each service by its name, and beside them the simulator`() throws {
    // A service's lines are indented further than its name.
    let pattern = /(?m)^  ([a-z]+):\n(?:    .*\n)*?    command: \[belfry-([a-z]+)\]$/
    let found = try Repository.text("compose/compose.yaml").matches(of: pattern)
    for match in found { #expect(match.1 == match.2) }
    #expect(Set(found.map { String($0.1) }) == services.union(["simulator"]))
  }

  @Test func `the one program is each service by its name`() throws {
    let main = try Repository.text("Services/Belfry/Main.swift")
    #expect(Set(main.matches(of: /case "([a-z-]+)": await/).map { String($0.1) }) == links)
    for match in main.matches(of: /case "belfry-([a-z]+)": await ([A-Za-z]+)Program\.run/) {
      #expect(match.2.lowercased().hasPrefix(match.1))
    }
  }

  @Test func `each name is a link in the image`() throws {
    let loop = /for service in ([a-z -]+); do ln -sf belfry/
    let made = try #require(try Repository.text("compose/bundle").firstMatch(of: loop)?.1)
    #expect(Set(made.split(separator: " ").map { "belfry\($0)" }) == links)
  }

  @Test func `each service has a systemd unit, which runs it`() throws {
    let folder = "compose/systemd"
    let files = try FileManager.default.contentsOfDirectory(atPath: Repository.root.appending(path: folder).path)
    let units = files.filter { $0.hasSuffix("@.service") }
    #expect(Set(units) == Set(BelfryService.allCases.map { "\($0.executable)@.service" }))
    for service in BelfryService.allCases {
      let unit = try Repository.text("\(folder)/\(service.executable)@.service")
      let lines = unit.split(separator: "\n")
      #expect(lines.filter { $0.hasPrefix("ExecStart=") } == ["ExecStart=@BINDIR@/\(service.executable)"])
    }
  }

  @Test func `units leave services more time to stop than these take`() throws {
    let unit = try Repository.text("compose/systemd/service.conf")
    let allowed = try #require(unit.firstMatch(of: /(?m)^TimeoutStopSec=([0-9]+)s$/)?.1)
    // ProcessConfiguration's default, and what ServiceMain gives cancelled work to end.
    #expect(try #require(Int(allowed)) > 25 + 5)
  }
}
