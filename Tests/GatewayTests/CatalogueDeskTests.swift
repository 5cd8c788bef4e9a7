import NotificationModel
import Synchronization
import Testing

@testable import Gateway

@Suite struct CatalogueDeskTests {
  @Test func `of files that come at once one is read after the other`() async throws {
    let running = Mutex((now: 0, most: 0))
    let events = (0..<200).map { "{ name: E\($0) }" }.joined(separator: ", ")
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<4 {
        group.addTask {
          await CatalogueDesk.shared.carryOut {
            running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            defer { running.withLock { $0.now -= 1 } }
            return Catalogue.review("version: 1\nevents: [\(events)]").catalogue != nil
          }
        }
      }
      for try await isGood in group { #expect(isGood) }
    }
    #expect(running.withLock { $0.now == 0 && $0.most == 1 })
  }
}
