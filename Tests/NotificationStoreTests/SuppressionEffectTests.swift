import NotificationModel
import Testing

@testable import NotificationStore

/// What evidence says of an address.
@Suite struct SuppressionEffectTests {
  @Test(arguments: [
    "5.1.0", "5.1.1", "5.1.2", "5.1.3", "5.1.6", "5.1.10", "5.0.0", "5.2.0", "5.4.1", "5.4.4", "HardBounce", "",
  ])
  func `a permanent failure of the address suppresses it`(_ code: String) {
    #expect(SuppressionEvidence.Kind.permanent(code).effect == .suppresses(.hardBounce))
  }

  @Test func `a failure for good that nobody says more of does on repetition`() {
    #expect(SuppressionEvidence.Kind.unclear("5.0.0").effect == .onRepetition)
  }

  @Test(arguments: ["5.2.1", "5.2.2"])
  func `a mailbox that is disabled or full does on repetition, however it is reported`(_ code: String) {
    #expect(SuppressionEvidence.Kind.permanent(code).effect == .onRepetition)
    #expect(SuppressionEvidence.Kind.soft(code).effect == .onRepetition)
  }

  @Test(arguments: [
    // Too large, temporary, the sender's fault, a policy, the system's, the protocol's, delivered.
    "5.2.3", "5.3.4", "4.2.2", "4.1.1", "4.7.28", "5.1.7", "5.1.8", "5.7.1", "5.7.26", "5.3.0", "5.3.2", "5.4.6",
    "5.4.7",
    "5.5.0", "5.6.1", "2.1.5", "9.9.9",
  ])
  func `what is ours, temporary or about the mail tells nothing of the address`(_ code: String) {
    #expect(SuppressionEvidence.Kind.permanent(code).effect == .none)
    #expect(SuppressionEvidence.Kind.soft(code).effect == .none)
  }

  @Test(arguments: [
    "5.1.1", "5.0.0", "4.2.1", "5.2.3", "", "SoftBounce", "5.2", "5.2.1.1", "5.2.-1", "5.2.1 ", "5.2.0001", "５.2.1",
  ])
  func `a soft failure other than those suppresses nothing`(_ code: String) {
    #expect(SuppressionEvidence.Kind.soft(code).effect == .none)
  }

  @Test func `complaints and operators suppress, each for their own reason`() {
    #expect(SuppressionEvidence.Kind.complaint.effect == .suppresses(.complaint))
    #expect(SuppressionEvidence.Kind.manual.effect == .suppresses(.manual))
  }
}
