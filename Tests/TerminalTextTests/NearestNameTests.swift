import TerminalText
import Testing

struct NearestNameTests {
  private let names = ["DinnerIsReady", "GoalAchieved", "BadgeUnlocked", "AllowanceDeposit", "OTP"]

  @Test(arguments: [
    ("DinerIsReady", "DinnerIsReady"), ("dinnerisready", "DinnerIsReady"), ("DinnerReady", "DinnerIsReady"),
    ("DinnerIsRaedy", "DinnerIsReady"), ("GaolAchieved", "GoalAchieved"), ("BadgeUnlock", "BadgeUnlocked"),
    ("OTTP", "OTP"), ("OPT", "OTP"),
  ])
  func `a name that is nearly right gets the right one`(written: String, meant: String) {
    #expect(NearestName.of(written, among: names) == meant)
  }

  @Test(arguments: ["", "ATM", "Dinner", "LunchIsReady", "OrderShipped", "O"])
  func `a name that is like no other gets none`(written: String) {
    #expect(NearestName.of(written, among: names) == nil)
  }

  @Test func `the nearest of several wins, and of those as near the first in the alphabet, whatever their order`() {
    #expect(NearestName.of("orders", among: ["borders", "order", "orderss"]) == "borders")
    #expect(NearestName.of("orders", among: ["orderss", "order", "borders"]) == "borders")
    #expect(NearestName.of("orders", among: ["ordexyz", "Orders", "order"]) == "Orders")
    #expect(NearestName.of("order", among: ["order"]) == nil, "the name itself is no advice")
  }

  @Test func `names in other scripts are compared as well, without regard to case`() {
    #expect(NearestName.of("ÜBERWEISUN", among: ["Überweisung", "Rechnung"]) == "Überweisung")
    #expect(NearestName.of("заказ", among: ["Заказы"]) == "Заказы")
  }

  @Test func `advice follows what was wrong, or there is none`() {
    #expect(NearestName.advice("DinerIsReady", among: names) == "; did you mean DinnerIsReady?")
    #expect(NearestName.advice("Lunch", among: names) == "")
  }

  @Test func `what is longer than 64 characters is not compared`() {
    let name = String(repeating: "a", count: 63)
    #expect(NearestName.of(name + "b", among: [name]) == name)
    #expect(NearestName.of(name + "bc", among: [name]) == nil)
    #expect(NearestName.of(name, among: [name + "bc"]) == nil)
    #expect(NearestName.of(String(repeating: "é", count: 1_000_000), among: names) == nil)
  }

  /// By the definition: every name of a text's neighbourhood is found, and nothing beyond it.
  @Test func `one letter more, less or other is always found in a long name`() {
    let name = "AllowanceDeposit"
    for index in name.indices {
      for changed in ["", "x", "x" + String(name[index])] {
        let written = name.replacingCharacters(at: index, by: changed)
        #expect(NearestName.of(written, among: names) == name, "\(written)")
      }
    }
  }
}

extension String {
  fileprivate func replacingCharacters(at index: Index, by text: String) -> String {
    self[..<index] + text + self[self.index(after: index)...]
  }
}
