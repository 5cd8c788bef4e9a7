import Foundation
import TestSupport
import Testing
import WallClock

@testable import NotificationStore
@testable import Router

@Suite struct UntoldSchedulesTests {
  private let log = LogRecorder()

  private func entries(_ count: Int, because reason: String = "type: 9 is gone") -> [UntoldSchedules.Entry] {
    (0..<count).map { number in
      let claim = ScheduleStore.Claim(
        id: UUID(),
        owner: "shop",
        key: "key-\(number)",
        definition: "{}",
        startsOn: LocalDate(dayNumber: 0),
        doneUntil: .distantPast,
        plan: nil,
        isReleased: true,
        catalogueVersion: 0,
        until: .distantFuture
      )
      return UntoldSchedules.Entry(claim: claim, reason: reason)
    }
  }

  /// How many each line says.
  private var counts: [String] {
    log.all.compactMap { entry in entry.text.firstMatch(of: /"count": ([0-9]+)/).map { String($0.1) } }
  }

  @Test func `each reason is said once a minute, with how many there were since`() {
    let (untold, start) = (UntoldSchedules(), Date(timeIntervalSince1970: 1_795_000_000))
    untold.report(entries(200), now: start, to: log.logger)
    untold.report(entries(150), now: start + 1, to: log.logger)
    untold.report(entries(1, because: "template: bins is gone"), now: start + 2, to: log.logger)
    untold.report([], now: start + 30, to: log.logger)
    #expect(counts == ["200", "1"])
    untold.report(entries(200), now: start + 60, to: log.logger)
    #expect(counts == ["200", "1", "350"])
    untold.report(entries(2), now: start + 120, to: log.logger)
    #expect(counts.last == "2")
  }

  @Test func `of very many reasons the oldest are forgotten, none is kept from being said`() {
    let (untold, start) = (UntoldSchedules(), Date(timeIntervalSince1970: 1_795_000_000))
    for number in 0..<1_000 {
      untold.report(entries(1, because: "reason \(number)"), now: start + Double(number), to: log.logger)
    }
    #expect(counts.count == 1_000)
  }
}
