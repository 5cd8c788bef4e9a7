import NotificationModel

/// A queue whose dead letters are meant.
public struct DeadQueue: RawRepresentable, CaseIterable, Hashable, Sendable {
  /// As commands name it.
  public let rawValue: String
  /// The queue that the messages died in.
  public let origin: String

  private init(_ name: String, origin: String) {
    rawValue = name
    self.origin = origin
  }

  public init?(rawValue: String) {
    guard let found = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = found
  }

  public static let ingest = DeadQueue("ingest", origin: Topology.ingestQueue)

  public static let allCases = [ingest] + WorkQueue.allCases.map { DeadQueue($0.label, origin: $0.name) }

  /// Where they are dead-lettered.
  public var name: String { Topology.deadQueue(of: origin) }

  /// Where an earlier version dead-lettered them.
  public var formerName: String { Topology.formerDeadQueue(of: origin) }
}
