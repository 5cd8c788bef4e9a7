import Retrying
import Testing

@Suite struct TransienceTests {
  private struct Refusal: TransienceReporting {
    var isTransient = false
    var hasTimedOut = false
    var isCancelled = false
  }

  private struct Mistake: Error {}

  @Test func `an error that says so is what it says`() {
    #expect((Refusal(isTransient: true) as any Error).isTransientFailure)
    #expect(!(Refusal() as any Error).isTransientFailure)
    #expect((Refusal(isCancelled: true) as any Error).isCancellation)
    #expect(!(Refusal() as any Error).isCancellation)
    #expect((Refusal(hasTimedOut: true) as any Error).isTimeout)
    #expect(!(Refusal(isTransient: true) as any Error).isTimeout)
  }

  @Test func `a cancelled task gave up, which is no failure that passes`() {
    let error: any Error = CancellationError()
    #expect(error.isCancellation)
    #expect(!error.isTransientFailure)
    #expect(!error.isTimeout)
  }

  @Test func `an error that says nothing would come again, so nobody waits for it`() {
    let error: any Error = Mistake()
    #expect(!error.isTransientFailure)
    #expect(!error.isTimeout)
    #expect(!error.isCancellation)
  }
}
