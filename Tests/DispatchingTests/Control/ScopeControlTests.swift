import Foundation
import Testing

@testable import Dispatching

@Suite struct ScopeControlTests {
  private let start = ContinuousClock.now
  /// Twenty past an hour.
  private let date = Date(timeIntervalSince1970: 1_800_001_200)
  private static let trouble = DeliveryResult.retry(reason: "503", first: .seconds(10), isProviderTrouble: true)
  private static let delivered = DeliveryResult.delivered(providerID: "p")

  private func control(sparesQuarterHours: Bool = false) -> ScopeControl {
    ScopeControl(sparesQuarterHours: sparesQuarterHours, jitter: FullJitter { 0.5 }, now: start)
  }

  private func call(
    _ control: inout ScopeControl,
    _ result: DeliveryResult,
    isRetry: Bool = false,
    at now: ContinuousClock.Instant
  ) {
    let call = control.begin(isRetry: isRetry, at: now)
    _ = control.end(call, result, at: now)
  }

  @Test func `a used up quota stops the scope for as long as the provider says, and no shorter word ends that`() {
    var control = control()
    call(&control, .throttled(reason: "429", until: .seconds(90)), at: start)
    let other = control.begin(isRetry: false, at: start)
    _ = control.end(other, .throttled(reason: "429", until: .seconds(1)), at: start)
    let refusal = control.refusal(isRetry: false, at: start + .seconds(30), date: date)
    #expect(refusal == Postponement(reason: .throttled, after: .seconds(60)))
    #expect(control.refusal(isRetry: false, at: start + .seconds(90), date: date) == nil)
  }

  @Test func `a pause that is shorter than what one target was told is the scope's`() {
    var control = control()
    call(&control, .throttled(reason: "429", until: .seconds(9_000), pause: .seconds(90)), at: start)
    #expect(control.refusal(isRetry: false, at: start + .seconds(89), date: date)?.after == .seconds(1))
    #expect(control.refusal(isRetry: false, at: start + .seconds(90), date: date) == nil)
  }

  @Test func `half of a hundred failures stop the scope, for any part of a minute`() {
    var control = control()
    for _ in 0..<100 { call(&control, Self.trouble, at: start) }
    let refusal = control.refusal(isRetry: false, at: start, date: date)
    #expect(refusal == Postponement(reason: .breaker, after: .seconds(30)))
    #expect(!control.isQuiet(at: start))
  }

  @Test(arguments: [
    DeliveryResult.throttled(reason: "429", until: .zero),
    .rejected(reason: "payload above 4096 bytes", wasAsked: false), .postponed(reason: "stopped", after: .seconds(60)),
    .abandoned,
  ])
  func `what the provider was not asked closes no breaker, however often, and answers of its own do`(
    _ result: DeliveryResult
  ) {
    var control = control()
    for _ in 0..<100 { call(&control, Self.trouble, at: start) }
    let now = start + .seconds(60)
    for _ in 0..<100 {
      #expect(control.refusal(isRetry: false, at: now, date: date) == nil)
      let call = control.begin(isRetry: false, at: now)
      #expect(control.end(call, result, at: now) != .closed)
    }
    #expect(!control.isQuiet(at: now))
    for number in 1...10 {
      let call = control.begin(isRetry: false, at: now)
      let change = control.end(call, number == 1 ? .rejected(reason: "404") : Self.delivered, at: now)
      #expect(change == (number == 10 ? .closed : .none))
    }
  }

  @Test func `refused addresses and failures of ours are no trouble of the provider`() {
    var control = control()
    for _ in 0..<200 {
      call(&control, .rejected(reason: "404"), at: start)
      call(&control, .retry(reason: "no access token", first: .seconds(10)), at: start)
    }
    #expect(control.refusal(isRetry: true, at: start, date: date) == nil)
  }

  @Test func `in trouble a tenth of the requests of two minutes may be retries, whatever their order`() {
    for _ in 0..<20 {
      var control = control()
      var (requests, retries, now) = (0, 0, start)
      for number in 0..<2_000 {
        now += .milliseconds(10)
        let isRetry = Bool.random()
        guard control.refusal(isRetry: isRetry, at: now, date: date) == nil else { continue }
        call(&control, number % 10 == 0 ? Self.trouble : Self.delivered, isRetry: isRetry, at: now)
        requests += 1
        retries += isRetry ? 1 : 0
        #expect(retries <= max(RetryBudget.minimum, requests / 10))
      }
      #expect(retries > requests / 12)
    }
  }

  @Test func `a provider without trouble takes all retries`() {
    var control = control()
    for _ in 0..<500 {
      #expect(control.refusal(isRetry: true, at: start, date: date) == nil)
      call(&control, Self.delivered, isRetry: true, at: start)
    }
  }

  @Test(arguments: [0, 15, 30, 45])
  func `from a minute before a quarter of an hour until a minute after there are no retries`(minute: Int) {
    var control = control(sparesQuarterHours: true)
    let hour = date - 1_200
    for (second, isFree) in [(-61, true), (-60, false), (0, false), (59, false), (60, true)] {
      let date = hour + Double(minute * 60 + second)
      let refusal = control.refusal(isRetry: true, at: start, date: date)
      #expect((refusal == nil) == isFree, "\(minute):\(second)")
      #expect(isFree || refusal?.reason == .quarterHour)
      #expect(control.refusal(isRetry: false, at: start, date: date) == nil)
      var other = self.control()
      #expect(other.refusal(isRetry: true, at: start, date: date) == nil)
    }
  }

  @Test func `a wait is anything up to the whole, and never less than what is asked for`() {
    let jitter = FullJitter()
    for _ in 0..<1_000 {
      let wait = jitter.wait(upTo: .seconds(60), least: .seconds(10))
      #expect(wait >= .seconds(10) && wait <= .seconds(60))
      #expect(jitter.wait(upTo: .seconds(5), least: .seconds(7)) == .seconds(7))
    }
    #expect(FullJitter { 0 }.wait(upTo: .seconds(60)) == .zero)
    #expect(FullJitter { 1 }.wait(upTo: .seconds(60)) == .seconds(60))
  }
}
