import BelfryJSON
import Foundation
import Testing

@testable import BelfryClient

struct PushCategoryTests {
  private let text = """
    {"types":[
      {"code":20,"name":"GoalProgress","category":"Goals","channels":{},"actions":[
        {"id":"VIEW_GOALS","title":"View goals"},{"id":"DELETE","title":"Delete"}]},
      {"code":21,"name":"Plain","category":"Goals","channels":{},"actions":[]},
      {"code":22,"name":"Many","category":"Goals","channels":{},"actions":[
        {"id":"1","title":"1"},{"id":"2","title":"2"},{"id":"3","title":"3"},{"id":"4","title":"4"},{"id":"5","title":"5"}]}
    ],"categories":[],"settings":[]}
    """

  @Test func `a type with buttons is a category with actions, four at most`() throws {
    let catalogue = try #require(CatalogueSummary(JSONParser.parse(Array(text.utf8))))
    let categories = PushCategory.all(of: catalogue) { $0 == "DELETE" ? [.destructive, .needsUnlock] : .opensApp }
    #expect(categories.map(\.id) == ["GoalProgress", "Many"])
    #expect(
      categories.first?.actions == [
        PushCategory.Action(id: "VIEW_GOALS", title: "View goals", style: .opensApp),
        PushCategory.Action(id: "DELETE", title: "Delete", style: [.destructive, .needsUnlock]),
      ]
    )
    #expect(categories.last?.actions.map(\.id) == ["1", "2", "3", "4"])
  }

  @Test func `they are asked for in a language, without a token, and given to the system`() async throws {
    let text = text
    let http = ScriptedHTTP { _ in HTTPResponse(json: text) }
    let client = BelfryClient(try testConfiguration(http)) { _ in throw BelfryError(.unauthorized) }
    let system = FakeSystem()
    try await client.registerCategories(in: system, locale: "de")
    #expect(await system.categories.map(\.id) == ["GoalProgress", "Many"])
    #expect(http.sent.map(\.url.absoluteString) == ["https://belfry.test/catalogue?locale=de"])
    #expect(http.sent.first?.token == nil)
  }

  @Test func `a catalogue that does not come changes nothing`() async throws {
    let http = ScriptedHTTP { _ in throw BelfryError(.offline) }
    let client = BelfryClient(try testConfiguration(http)) { _ in "token" }
    let system = FakeSystem()
    await #expect(throws: BelfryError(.offline)) { try await client.registerCategories(in: system) }
    #expect(await system.categories.isEmpty)
  }
}
