import ConsoleCommands
import Foundation
import BelfryJSON
import LocalStack

/// Makes the circumstances of the demo, each once however often it is asked for.
actor SwitchBoard {
  private let stack: BelfryStack
  private var story: DemoStory
  private let devices: DemoDevices
  private var faults: SimulatorFaults
  private(set) var on: Set<DemoSwitch> = []
  /// By which the simulator knows the troubles.
  private var troubles: [DemoSwitch: Int] = [:]
  /// The app that shows the conversation.
  private var screen: HubListener?
  /// Where somebody is for whom it is night.
  private(set) var night: DemoNight.Place?
  /// One at a time: two pages may press the same button.
  private var isBusy = false

  init(_ stack: BelfryStack, story: DemoStory, devices: DemoDevices, simulator: GatewayClient) {
    self.stack = stack
    self.story = story
    self.devices = devices
    faults = SimulatorFaults(simulator: simulator, story: story, addresses: devices.addresses)
  }

  /// From now on it is about another story's people. Nothing is on.
  func play(_ story: DemoStory) {
    self.story = story
    faults = SimulatorFaults(simulator: faults.simulator, story: story, addresses: faults.addresses)
  }

  /// Switches, and returns when it is so.
  func turn(_ wanted: DemoSwitch, on isOn: Bool) async throws {
    while isBusy { try await Task.sleep(for: .milliseconds(10)) }
    isBusy = true
    defer { isBusy = false }
    guard on.contains(wanted) != isOn else { return }
    switch wanted {
    case .fcmDown, .apnsDown, .webPushDown, .slowMail, .phoneGone: try await turnTrouble(wanted, on: isOn)
    case .killPush: try await turnKill(on: isOn)
    case .night: try await turnNight(on: isOn)
    case .reading: try await turnReading(on: isOn)
    }
    if isOn { on.insert(wanted) } else if !wanted.isMomentary { on.remove(wanted) }
  }

  /// What an earlier run may have left of its night. The rest ends with the processes.
  func reset() async throws {
    try await turnNight(on: false)
  }

  /// Looks after what does not stay by itself: a hub that was started anew does not know who reads what, and a killed process
  /// comes back.
  func tend() async {
    guard !isBusy else { return }
    if on.contains(.killPush), let process = stack.services(.push).first, process.isRunning, await process.isReady() {
      on.remove(.killPush)
    }
    if on.contains(.reading), screen?.isOpen != true {
      // Not there yet: the next round asks again.
      try? await turnReading(on: true)
    }
  }

  /// A simulator that was started anew has no troubles: those that are on are made again.
  func restoreTroubles() async {
    for trouble in on where troubles[trouble] != nil {
      // The simulator's next start comes here again.
      if let known = troubles[trouble] { try? await faults.remove(known) }
      troubles[trouble] = try? await faults.make(trouble)
    }
  }

  // MARK: Each of them

  private func turnTrouble(_ trouble: DemoSwitch, on isOn: Bool) async throws {
    if isOn {
      troubles[trouble] = try await faults.make(trouble)
      return
    }
    if let id = troubles.removeValue(forKey: trouble) { try await faults.remove(id) }
    guard trouble == .phoneGone, let person = story.person(of: trouble) else { return }
    // The app is installed again.
    try await devices.register(person, token: try person.token(stack))
  }

  private func turnKill(on isOn: Bool) async throws {
    // It comes back by itself: nothing is to be done for that.
    guard isOn else { return }
    guard let process = stack.services(.push).first else {
      throw DemoRefusal(409, "There is no push dispatcher to kill: belfry-dev was started without one.")
    }
    await process.kill()
  }

  private func turnNight(on isOn: Bool) async throws {
    guard let person = story.person(of: .night) else { return }
    let place = isOn ? DemoNight.place(at: Date()) : nil
    let token = try person.token(stack)
    try await devices.gateway.call("PUT", "/api/v1/notifications/preferences/quiet-hours", token: token) { writer in
      writer.object { writer in
        writer.field("enabled", isOn)
        writer.field("startTime", DemoNight.start)
        writer.field("endTime", DemoNight.end)
        writer.field("timezone", place?.zone ?? DemoPerson.timezone)
      }
    }
    night = place
  }

  private func turnReading(on isOn: Bool) async throws {
    if let screen {
      self.screen = nil
      defer { screen.close() }
      // Of a connection that only closes, a router learns a moment later. If this fails, closing does it all the same.
      try? await screen.call("StopViewing", [])
    }
    guard isOn, let port = stack.services(.inapp).first?.port, let conversation = story.conversation,
      let person = story.person(of: .reading)
    else { return }
    let screen = try await HubListener.connect(port: port, token: try person.token(stack), user: person.id)
    do {
      try await screen.call("StartViewing", [conversation.type, conversation.id])
    } catch {
      screen.close()
      throw error
    }
    self.screen = screen
  }

  func close() {
    screen?.close()
  }
}

/// Why the demo does not do what it is asked, in words for people.
struct DemoRefusal: Error, CustomStringConvertible {
  /// As of HTTP.
  let status: Int
  let description: String

  init(_ status: Int, _ description: String) {
    self.status = status
    self.description = description
  }
}
