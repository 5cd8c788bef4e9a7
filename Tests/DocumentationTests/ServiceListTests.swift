import Foundation
import LocalStack
import TestSupport
import Testing

/// Wherever all services are named, they are the same ones.
@Suite struct ServiceListTests {
  private let services = Set(BelfryService.allCases.map(\.rawValue))
  /// By which names each program is called besides its own.
  private let links = ["belfry": Set(BelfryService.allCases.map(\.executable)), "belfry-dev": ["belfry-simulator"]]

  @Test func `compose.yaml runs each service by its name, and beside them the simulator`() throws {
    // A service's lines are indented further than its name.
    let pattern = /(?m)^  ([a-z]+):\n(?:    .*\n)*?    command: \[belfry-([a-z]+)\]$/
    let found = try Repository.text("compose/compose.yaml").matches(of: pattern)
    for match in found { #expect(match.1 == match.2) }
    #expect(Set(found.map { String($0.1) }) == services.union(["simulator"]))
  }

  @Test(arguments: [("belfry", "Services/Belfry"), ("belfry-dev", "Services/Workshop/Main")])
  func `each program does what it is called by`(_ program: String, _ folder: String) throws {
    let main = try Repository.text("\(folder)/Main.swift")
    #expect(Set(main.matches(of: /case "([a-z-]+)": await/).map { String($0.1) }) == links[program])
    for match in main.matches(of: /case "belfry-([a-z]+)": await ([A-Za-z]+)Program\.run/) {
      #expect(match.2.lowercased().hasPrefix(match.1))
    }
  }

  @Test func `each name is a link in the images`() throws {
    let made = try Repository.text("compose/bundle").matches(of: /(?m)^  (belfry[a-z-]*)\) names="([a-z ]+)" ;;$/)
    let names = made.map { (String($0.1), Set($0.2.split(separator: " ").map { "belfry-\($0)" })) }
    #expect(Dictionary(uniqueKeysWithValues: names) == links)
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
