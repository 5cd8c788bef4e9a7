import BenchmarkComparison
import Foundation

/// All of a comparison, as it is written to the JSON file.
struct AgainstReport: Codable, Sendable {
  /// One build's turn.
  struct Turn: Codable, Sendable {
    var round: Int
    var side: Side
    var report: BenchReport
  }

  var startedAt: Date
  var seconds: Double
  /// The paths of the programs.
  var these: String
  var other: String
  var rounds: Int
  var figures: [FigureComparison]
  /// Nil where none were compared: no services were measured.
  var messages: [MessageDifference]?
  /// What was repeated or left out.
  var notes: [String]
  var turns: [Turn]
}
