import Foundation
import NotificationModel
import Testing

@testable import Gateway

@Suite struct ExportLimiterTests {
  @Test(arguments: [ExportLimiter.Asker.user, .service])
  func `a user has two exports at once, all together eight, and what has ended makes room`(asker: ExportLimiter.Asker) {
    let turns = ExportLimiter()
    let ann = UserID(UUID())
    var held = (0..<ExportLimiter.perUser).compactMap { _ in turns.begin(ann, for: asker) }
    #expect(held.count == ExportLimiter.perUser)
    #expect(turns.begin(ann, for: asker) == nil)
    while let turn = turns.begin(UserID(UUID()), for: asker) { held.append(turn) }
    #expect(held.count == ExportLimiter.atOnce)
    held.removeFirst()
    #expect(turns.begin(ann, for: asker) != nil)
    held = []
    held = (0..<2 * ExportLimiter.atOnce).compactMap { _ in turns.begin(UserID(UUID()), for: asker) }
    #expect(held.count == ExportLimiter.atOnce)
  }

  @Test func `however many users ask for themselves, services have their turns, and the reverse`() {
    for (many, other) in [(ExportLimiter.Asker.user, ExportLimiter.Asker.service), (.service, .user)] {
      let turns = ExportLimiter()
      let held = (0..<2 * ExportLimiter.atOnce).compactMap { _ in turns.begin(UserID(UUID()), for: many) }
      let others = (0..<2 * ExportLimiter.atOnce).compactMap { _ in turns.begin(UserID(UUID()), for: other) }
      #expect(held.count == ExportLimiter.atOnce && others.count == ExportLimiter.atOnce)
    }
  }
}
