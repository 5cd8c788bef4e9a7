import Foundation

/// Answers pushes as one environment of APNs does, without the network.
struct APNsResponder: Sendable {
  let environment: APNsEnvironment
  let credentials: APNsCredentials
  let devices: APNsDevices
  let faults: FaultList
  let log: APNsLog
  let clock: @Sendable () -> Date

  init(
    environment: APNsEnvironment,
    account: APNsAccount,
    devices: APNsDevices,
    faults: FaultList,
    log: APNsLog,
    clock: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.environment = environment
    credentials = APNsCredentials(environment: environment, account: account)
    self.devices = devices
    self.faults = faults
    self.log = log
    self.clock = clock
  }

  /// The reply, and how long it is to be held back.
  func respond(to request: ReceivedRequest, on connection: inout APNsConnection) -> (APNsReply, Duration) {
    let (reply, delay) = answer(request, on: &connection)
    log.count(reply.name)
    return (reply, delay)
  }

  private func answer(_ request: ReceivedRequest, on connection: inout APNsConnection) -> (APNsReply, Duration) {
    let id = APNsPush.id(of: request)
    let now = clock()
    let push: APNsPush
    do throws(APNsReason) {
      let isNew = try credentials.check(request["authorization"], on: &connection, now: now.timeIntervalSince1970)
      if isNew { log.countProviderToken() }
      push = try APNsPush(request)
    } catch {
      return (.refusal(error, id: id), .zero)
    }
    let decision = faults.decide(.apns, target: push.token)
    if let effect = decision.effect, let reply = effect.apnsReply(id: id, now: Self.milliseconds(now)) {
      if effect.accepts {
        log.accept(push, id: id, environment: environment)
      } else {
        log.refuse(push, reply)
      }
      return (reply, decision.delay)
    }
    if let refusal = refusal(of: push, id: id) {
      log.refuse(push, refusal)
      return (refusal, decision.delay)
    }
    log.accept(push, id: id, environment: environment)
    return (.answer(status: 200, id: id), decision.delay)
  }

  /// What the device's token and topic say.
  private func refusal(of push: APNsPush, id: String) -> APNsReply? {
    guard push.token.utf8.count.isMultiple(of: 2), push.token.allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
      return .refusal(.badDeviceToken, id: id)
    }
    guard push.topic == APNsAccount.topic || push.topic.hasPrefix("\(APNsAccount.topic).") else {
      return .refusal(.topicDisallowed, id: id)
    }
    let device = devices[push.token]
    guard device.environment == environment else { return .refusal(.badDeviceToken, id: id) }
    if let topic = device.topic, topic != push.topic { return .refusal(.deviceTokenNotForTopic, id: id) }
    guard let unregistered = device.unregistered else { return nil }
    return .refusal(.unregistered, id: id, timestamp: Self.milliseconds(unregistered))
  }

  private static func milliseconds(_ date: Date) -> Int64 { Int64((date.timeIntervalSince1970 * 1_000).rounded()) }
}
