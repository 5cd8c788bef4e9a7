import CatalogueVersions
import Foundation
import NotificationModel
import NotificationQueue
import TestSupport
import Testing

@testable import Broker
@testable import Router

/// Messages whose version is lost, unknown, or cannot be read any more.
extension CatalogueVersionTests {
  // MARK: After a backup was restored

  @Test func `what a version accepted that is lost goes by the current one, however old it is`() async throws {
    let (router, catalogues) = try await router()
    store.apply(Self.first)
    try await catalogues.refresh()
    store.restore(to: 1)
    try await catalogues.refresh()
    try await accept(send(), by: 2, ago: 3_600, router)
    try await router.run()
    #expect(router.stores.texts(of: ann).map(\.title) == ["One 5"])
    expectNothingLeft(router)
  }

  @Test func `what a version accepted that is lost goes by an earlier one if the current one has not its type`()
    async throws
  {
    let (router, catalogues) = try await router()
    store.apply(Self.nothing)
    try await catalogues.refresh()
    try await accept(send(), by: 9, ago: 3_600, router)
    try await accept(send(#""TIDE""#), by: 9, ago: 3_600, router)
    try await router.run()
    #expect(router.stores.texts(of: ann).map(\.title) == ["One 5", "One 5"])
    expectNothingLeft(router)
  }

  @Test func `what only a lost version has waits until that is applied again, however old it is`() async throws {
    let (router, _) = try await router()
    try await accept(send("902"), by: 2, ago: 3_600, router)
    try await router.run()
    #expect(router.postponed.count == 1 && router.deadLettered.isEmpty)
    store.apply("\(Self.defaults)\ntypes: [{ code: 902, name: Flood, category: X, title: 'Two {{n}}' }]")
    try await router.endPause()
    try await router.run()
    #expect(router.stores.texts(of: ann).map(\.title) == ["Two 5"])
    expectNothingLeft(router)
  }

  // MARK: Whose version nobody knows

  /// By code and by name: a file accepted it, which then became the first version.
  @Test(arguments: ["2", #""OrderDelayed""#])
  func `what nobody knows the version of goes by an earlier one that has its type, not by a built-in type`(
    type: String
  ) async throws {
    #expect(try TestRouter.catalogue.get().type(.code(2)) != nil)
    store.apply(Self.own("{ code: 2, name: OrderDelayed, category: X, title: 'Delayed {{n}}' }"))
    store.apply(Self.own("{ code: 1, name: OrderShipped, category: X, title: 'Shipped {{n}}' }"))
    let (router, _) = try await router()
    try await accept(send(type), by: nil, router)
    try await router.run()
    #expect(router.stores.texts(of: ann).map(\.title) == ["Delayed 5"])
    expectNothingLeft(router)
  }

  @Test func `what nobody knows the version of goes by the built-in catalogue where no version has its type`()
    async throws
  {
    let store = CatalogueVersionsInMemory([Self.own("{ code: 1, name: OrderShipped, category: X, title: T }")])
    var router = TestRouter()
    let catalogues = try CatalogueInForce(file: "", store: store, logger: .quiet)
    try await catalogues.refresh()
    router.versions = catalogues
    try await accept(TestRouter.body([ann]), by: nil, router)
    try await router.run()
    #expect(router.stores.texts(of: ann).count == 1)
    expectNothingLeft(router)
  }

  @Test func `what a version accepted that cannot be read any more goes by a later one that has its type`() async throws
  {
    let store = CatalogueVersionsInMemory()
    store.apply(Self.unreadable, names: ["900", "tide"])
    for number in 2...4 {
      store.apply("\(Self.defaults)\ntypes: [{ code: 900, name: Tide, category: X, title: 'No. \(number)' }]")
    }
    store.apply(Self.nothing)
    var router = TestRouter()
    let catalogues = try CatalogueInForce(file: "", store: store, logger: .quiet)
    try await catalogues.refresh()
    router.versions = catalogues
    try await accept(send(), by: 1, router)
    try await router.run()
    #expect(router.stores.texts(of: ann).map(\.title) == ["No. 4"])
    expectNothingLeft(router)
  }

  @Test func `what no version has is set aside for the patience, and then dead-lettered`() async throws {
    let (router, _) = try await router()
    try await accept(send("903"), by: nil, router)
    try await accept(send("904"), by: 1, ago: 3_600, router)
    try await router.run()
    #expect(router.postponed.count == 1)
    #expect(router.deadLettered == ["invalid: type: 904 is not in the catalogue"])
  }
}
