import ConsoleCommands
import BelfryJSON

extension JSONValue {
  /// A line for each member that has a value, in their order.
  var record: [String] {
    (members ?? []).filter { $0.value != .null }.map { "\($0.name): \($0.value.shown)" }
  }

  /// A share of one, as a percentage with a decimal; `-` where nothing is counted.
  var percentage: String {
    guard let value = double else { return "-" }
    let tenths = Int((value * 1_000).rounded())
    return "\(tenths / 10).\(tenths % 10)%"
  }
}
