import Foundation

extension Double {
  func text(_ digits: Int) -> String {
    String(format: "%.\(digits)f", self)
  }

  /// Three digits that matter, thousands apart: `27,500`, `4.31`.
  var figure: String {
    let size = abs(self)
    let digits = size >= 100 ? 0 : size >= 10 ? 1 : 2
    return formatted(
      .number.precision(.fractionLength(digits)).grouping(.automatic).locale(Locale(identifier: "en_US"))
    )
  }
}

extension Duration {
  var seconds: Double { self / .seconds(1) }
}
