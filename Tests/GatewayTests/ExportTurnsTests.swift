import Foundation
import NotificationModel
import Testing

@testable import Gateway

@Suite struct ExportTurnsTests {
  @Test func `a user has two exports at once, all together eight, and what has ended makes room`() {
    let turns = ExportTurns()
    let ann = UserID(UUID())
    var held = (0..<ExportTurns.perUser).compactMap { _ in turns.begin(ann) }
    #expect(held.count == ExportTurns.perUser)
    #expect(turns.begin(ann) == nil)
    while let turn = turns.begin(UserID(UUID())) { held.append(turn) }
    #expect(held.count == ExportTurns.atOnce)
    held.removeFirst()
    #expect(turns.begin(ann) != nil)
    held = []
    held = (0..<2 * ExportTurns.atOnce).compactMap { _ in turns.begin(UserID(UUID())) }
    #expect(held.count == ExportTurns.atOnce)
  }
}
