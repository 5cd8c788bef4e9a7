import Foundation
import Testing

@testable import BelfrySender

/// The checks before a request is sent are those of the gateway: what passes here passes there, and what does not is named alike.
@Suite struct AgreementTests {
  /// The body of a request, whatever is wrong with it.
  private func unchecked(_ request: some CheckedRequest) throws -> Data {
    var checks = FieldChecks()
    return try SenderJSON.encode(request.node(&checks))
  }

  @Test(arguments: RequestCases.sends.indices)
  func `sends`(index: Int) throws {
    let request = RequestCases.sends[index]
    let named = GatewayReading.ofSend(try unchecked(request))
    let found = Set(request.wrongFields())
    #expect(found == named)
  }

  @Test(arguments: RequestCases.schedules.indices)
  func `schedules`(index: Int) throws {
    let schedule = RequestCases.schedules[index]
    let named = GatewayReading.ofSchedule(try unchecked(schedule))
    let found = Set(schedule.wrongFields())
    #expect(found == named)
  }

  @Test(arguments: RequestCases.events.indices)
  func `events`(index: Int) throws {
    let event = RequestCases.events[index]
    let named = GatewayReading.ofEvent(try unchecked(event))
    let found = Set(event.wrongFields())
    #expect(found == named)
  }
}
