import Foundation
import LocalStack

/// Prints what a local stack does, a line at a time.
struct StackReporter: Sendable {
  func callAsFunction(_ event: StackEvent) {
    switch event {
    case .settings(let taken, let overridden):
      if !taken.isEmpty { Terminal.say("Passed on to the services: \(taken.joined(separator: ", "))") }
      if !overridden.isEmpty {
        Terminal.say("Not passed on, for the stack decides: \(overridden.joined(separator: ", "))")
      }
    case .began(let step):
      Terminal.say("  … \(step)")
    case .finished(let step, let took):
      let seconds = (took / .milliseconds(1) / 1_000).formatted(.number.precision(.fractionLength(1)))
      Terminal.say("  ✓ \(step) (\(seconds) s)")
    case .crashed(let process, let status, let pause):
      Terminal.say("! \(process.name) ended with status \(status); starting it again in \(pause / .seconds(1)) s")
      Terminal.say("  Its log: \(process.logFile)\n\(process.logTail)")
    case .recovered(let process):
      Terminal.say("  ✓ \(process.name) is back")
    }
  }
}
