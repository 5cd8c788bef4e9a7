import Foundation
import BelfryJSON
import SignalRProtocol

/// A connection to the hub: handshake, pings, calls.
actor HubSession {
  /// What comes, in order.
  enum Event: Sendable, Equatable {
    /// The hub has accepted the handshake.
    case ready
    case call(target: String, arguments: [JSONValue])
    /// A notification that was missed.
    case missed(JSONValue)
    /// Everything that was missed is there, or asking for it has failed.
    case resumed(BelfryError?)
    /// Something that this client does not understand.
    case malformed
  }

  private let channel: any LiveChannel
  private let clock: any ClientClock
  private let timing: ClientTiming
  private var records = RecordBuffer()
  private var isReady = false
  private var startedAt: Date
  private var heardAt: Date
  private var pingedAt: Date
  private var calls = 0
  private var resumeID: String?

  init(_ channel: any LiveChannel, clock: any ClientClock, timing: ClientTiming) {
    self.channel = channel
    self.clock = clock
    self.timing = timing
    startedAt = clock.now
    heardAt = clock.now
    pingedAt = clock.now
  }

  /// Works until the connection ends or the task is cancelled; says why it ended.
  func run(_ handle: @escaping @Sendable (Event) async -> Void) async -> BelfryError {
    defer { channel.close() }
    do {
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          try await self.greet()
          try await self.read(handle)
        }
        group.addTask { try await self.pulse() }
        // What is being sent over a line that stands still ends with the channel alone.
        defer {
          group.cancelAll()
          channel.close()
        }
        try await group.next()
      }
    } catch {
      return error as? BelfryError ?? BelfryError(.unavailable)
    }
    return BelfryError(.unavailable)
  }

  /// Asks for what came after a `seq`, once for each connection: `missed` for each notification, then `resumed`.
  func resume(after seq: Int64) async throws {
    calls += 1
    let id = String(calls)
    resumeID = id
    try await send(.streamInvocation(id: id, target: "Resume", arguments: [.integer(seq)]))
  }

  /// Calls a method whose result nobody needs.
  func call(_ target: String, _ arguments: [String]) async throws {
    try await send(.invocation(id: nil, target: target, arguments: arguments.map(HubValue.string)))
  }

  nonisolated func close() {
    channel.close()
  }

  // MARK: Working

  private func greet() async throws {
    let request = #"{"protocol":"json","version":1}"#
    try await channel.send(String(decoding: HubProtocol.json.framed(Array(request.utf8)), as: UTF8.self))
  }

  private func send(_ message: HubMessage) async throws {
    try await channel.send(String(decoding: HubProtocol.json.encode(message), as: UTF8.self))
  }

  private func read(_ handle: @Sendable (Event) async -> Void) async throws {
    for try await text in channel.incoming {
      heardAt = clock.now
      var bytes = ArraySlice(text.utf8)
      while let record = try records.next(from: &bytes, limit: longestHubRecord) {
        try Task.checkCancellation()
        if let event = try take(record) { await handle(event) }
      }
    }
  }

  private func take(_ record: ArraySlice<UInt8>) throws -> Event? {
    guard let message = try? JSONParser.parse(record, loneSurrogates: .replaced), message.members != nil else {
      return .malformed
    }
    let failure = message["error"].map { BelfryError(.unavailable, detail: $0.string) }
    guard isReady else {
      if let failure { throw failure }
      isReady = true
      return .ready
    }
    let isResume = resumeID.map { $0 == message["invocationId"]?.string } ?? false
    // The numbers of HubProtocol.md.
    switch message["type"]?.integer {
    case 1:
      guard let target = message["target"]?.string, let arguments = message["arguments"]?.array else {
        return .malformed
      }
      return .call(target: target, arguments: arguments)
    case 2: return isResume ? .missed(message["item"] ?? .null) : nil
    case 3: return isResume ? .resumed(failure) : nil
    case 7: throw failure ?? BelfryError(.unavailable)
    default: return nil
    }
  }

  /// Often enough to notice soon after a sleep that the connection is gone.
  private func pulse() async throws {
    while true {
      try await clock.sleep(for: timing.ping / 5)
      let now = clock.now
      let silence = now.timeIntervalSince(heardAt)
      if silence > timing.silence.inSeconds { throw BelfryError(.timeout) }
      // The clock was set back.
      if silence < 0 { heardAt = now }
      guard isReady else {
        if now.timeIntervalSince(startedAt) > timing.request.inSeconds { throw BelfryError(.timeout) }
        continue
      }
      if abs(now.timeIntervalSince(pingedAt)) >= timing.ping.inSeconds {
        pingedAt = now
        try await send(.ping)
      }
    }
  }
}
