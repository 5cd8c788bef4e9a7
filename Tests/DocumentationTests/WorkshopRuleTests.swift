import TestSupport
import Testing

/// `belfry` is installed, `belfry-dev` is not (CONTRIBUTING.md).
@Suite struct WorkshopRuleTests {
  @Test func `nothing that is installed imports the workshop`() throws {
    let installed = try ["Shared", "Services"].flatMap { try Repository.sources(below: $0) }
      .filter { !$0.hasPrefix("Services/Workshop/") }
    #expect(installed.count > 100)
    let workshop =
      /(?m)^(?:public |package )?import (?:CWorkshopFiles|DevelopmentControl|LocalStack|Simulator|Workshop)$/
    for path in installed {
      let imported = try Repository.text(path).firstMatch(of: workshop)?.output
      #expect(imported == nil, "\(path)")
    }
  }
}
