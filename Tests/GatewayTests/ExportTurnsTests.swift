import Foundation
import NotificationModel
import Testing

@testable import Gateway

@Suite struct ExportTurnsTests {
  @Test(arguments: [ExportTurns.Asker.user, .service])
  func `a user has two exports at once, all together eight, and what has ended makes room`(asker: ExportTurns.Asker) {
    let turns = ExportTurns()
    let ann = UserID(UUID())
    var held = (0..<ExportTurns.perUser).compactMap { _ in turns.begin(ann, for: asker) }
    #expect(held.count == ExportTurns.perUser)
    #expect(turns.begin(ann, for: asker) == nil)
    while let turn = turns.begin(UserID(UUID()), for: asker) { held.append(turn) }
    #expect(held.count == ExportTurns.atOnce)
    held.removeFirst()
    #expect(turns.begin(ann, for: asker) != nil)
    held = []
    held = (0..<2 * ExportTurns.atOnce).compactMap { _ in turns.begin(UserID(UUID()), for: asker) }
    #expect(held.count == ExportTurns.atOnce)
  }

  @Test func `however many users ask for themselves, services have their turns, and the reverse`() {
    for (many, other) in [(ExportTurns.Asker.user, ExportTurns.Asker.service), (.service, .user)] {
      let turns = ExportTurns()
      let held = (0..<2 * ExportTurns.atOnce).compactMap { _ in turns.begin(UserID(UUID()), for: many) }
      let others = (0..<2 * ExportTurns.atOnce).compactMap { _ in turns.begin(UserID(UUID()), for: other) }
      #expect(held.count == ExportTurns.atOnce && others.count == ExportTurns.atOnce)
    }
  }
}
