import Foundation

/// Which of two runs this is: `make test`, or `make test-long` with what is long by nature.
public enum TestScope {
  /// Whether `make test-long` runs, which has of each choice what `make test` has not.
  public static let isLong = ProcessInfo.processInfo.environment["BELFRY_TESTS"] == "long"

  /// Rounds of what is done over and over: `BELFRY_ROUNDS` percent of `full`, one at least.
  public static func rounds(of full: Int) -> Int {
    guard let text = ProcessInfo.processInfo.environment["BELFRY_ROUNDS"] else { return full }
    guard let percent = Int(text), 1...1_000 ~= percent else {
      preconditionFailure("BELFRY_ROUNDS is \(text): it is a percentage, 1 to 1000")
    }
    return max(1, full * percent / 100)
  }

  /// Random cases: some every day, more in the long run.
  public static func cases(_ everyDay: Int, long: Int) -> Int { isLong ? long : everyDay }

  /// Of things that are tested alike, the first every day and the others in the long run.
  public static func part<Thing>(of things: [Thing]) -> [Thing] {
    isLong ? Array(things.dropFirst()) : Array(things.prefix(1))
  }
}
