import DevelopmentControl
import Foundation
import BelfryJSON

/// What watchers of the page are sent.
extension DevelopmentEvent {
  static func of(_ demoSwitch: DemoSwitch, isOn: Bool, in story: DemoStory) -> DevelopmentEvent {
    let data = String.json { demoSwitch.write(isOn: isOn, in: story, to: &$0) }
    return DevelopmentEvent(kind: .switch, key: demoSwitch.rawValue, data: data)
  }

  static func of(_ trace: DemoTrace, now: Date) -> DevelopmentEvent {
    DevelopmentEvent(kind: .trace, key: trace.id, data: .json { trace.write(to: &$0, now: now) })
  }

  static func of(_ state: StackState, now: Date) -> DevelopmentEvent {
    DevelopmentEvent(kind: .state, key: "", data: state.json(at: now))
  }
}
