/// Exchanges, queues and bindings that must exist; declared anew whenever a connection is made.
///
/// Declaring is idempotent. A queue or exchange that exists with other properties is an error
/// (``BrokerError/Code/preconditionFailed``) until somebody deletes it or the declaration is put back.
public struct BrokerTopology: Sendable, Equatable {
  public var exchanges: [Exchange]
  public var queues: [Queue]
  public var bindings: [Binding]
  /// Bindings that an earlier version made, taken away after all else is declared. Those that don't exist are fine.
  public var retiredBindings: [Binding]

  public init(
    exchanges: [Exchange] = [],
    queues: [Queue] = [],
    bindings: [Binding] = [],
    retiredBindings: [Binding] = []
  ) {
    self.exchanges = exchanges
    self.queues = queues
    self.bindings = bindings
    self.retiredBindings = retiredBindings
  }

  /// Declares nothing.
  public static let none = BrokerTopology()
}

extension BrokerTopology {
  public struct Exchange: Sendable, Equatable {
    public enum Kind: String, Sendable {
      case direct, fanout, topic, headers
    }

    public var name: String
    public var kind: Kind
    public var durable: Bool

    public init(name: String, kind: Kind = .direct, durable: Bool = true) {
      self.name = name
      self.kind = kind
      self.durable = durable
    }
  }

  public struct Queue: Sendable, Equatable {
    public var name: String
    public var durable: Bool
    /// Belongs to the connection that declares it and goes with it. Give it a unique name.
    public var exclusive: Bool
    public var autoDelete: Bool
    public var arguments: [String: BrokerValue]

    public init(
      name: String,
      durable: Bool = true,
      exclusive: Bool = false,
      autoDelete: Bool = false,
      arguments: [String: BrokerValue] = [:]
    ) {
      self.name = name
      self.durable = durable
      self.exclusive = exclusive
      self.autoDelete = autoDelete
      self.arguments = arguments
    }

    /// A durable, replicated queue: `x-queue-type=quorum` and further arguments.
    public static func quorum(_ name: String, arguments: [String: BrokerValue] = [:]) -> Queue {
      Queue(name: name, arguments: arguments.merging(["x-queue-type": "quorum"]) { given, _ in given })
    }

    /// A queue of this connection alone, gone with it; made anew, empty, after a reconnect.
    public static func exclusive(_ name: String, arguments: [String: BrokerValue] = [:]) -> Queue {
      Queue(name: name, durable: false, exclusive: true, autoDelete: true, arguments: arguments)
    }
  }

  public struct Binding: Sendable, Equatable {
    public var queue: String
    public var exchange: String
    public var key: String

    public init(queue: String, exchange: String, key: String = "") {
      self.queue = queue
      self.exchange = exchange
      self.key = key
    }
  }
}
