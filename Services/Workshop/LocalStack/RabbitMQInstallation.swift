import Foundation

/// Where a RabbitMQ and its Erlang are: where Debian's packages install them, or the same below a folder.
public struct RabbitMQInstallation: Sendable, Equatable {
  /// Absolute; empty for the machine's own.
  public var folder: String

  /// This machine's own.
  public static let system = RabbitMQInstallation(folder: "")

  public init(folder: String) {
    self.folder = folder
  }

  /// Something is there.
  public var exists: Bool { FileManager.default.isExecutableFile(atPath: "\(scripts)/rabbitmq-server") }

  /// RabbitMQ's own scripts. Debian's wrappers in `/usr/sbin` change to the user `rabbitmq` and its files.
  private var scripts: String { "\(folder)/usr/lib/rabbitmq/bin" }
  private var erlang: String { "\(folder)/usr/lib/erlang" }

  func script(_ name: String) throws(LocalStackError) -> String {
    guard exists else {
      throw LocalStackError(
        .missingProgram,
        "There is no RabbitMQ in \(folder.isEmpty ? "/usr/lib/rabbitmq" : folder).",
        advice: folder.isEmpty ? "Install it with `make deps`, or `apt-get install rabbitmq-server`." : nil
      )
    }
    return "\(scripts)/\(name)"
  }

  /// Erlang's port mapper.
  var portMapper: String { folder.isEmpty ? "epmd" : "\(erlang)/bin/epmd" }

  /// `PATH` for the scripts, which look for `erl` and `escript` there.
  func path(_ inherited: String) -> String { folder.isEmpty ? inherited : "\(erlang)/bin:\(inherited)" }

  /// The libraries that a node without plugins loads code from, to be searched first.
  ///
  /// Erlang looks for each module in every directory of its path, most of which are plugins: 38,000 failing looks at each
  /// start of 3.10, several seconds. Where a directory has moved nothing breaks, the start is slower.
  var codePath: String {
    let libraries = [
      "\(folder)/usr/lib/rabbitmq/lib/rabbitmq_server-*/plugins": [
        "rabbit", "rabbit_common", "cuttlefish", "ra", "rabbitmq_prelaunch", "observer_cli", "jsx", "osiris", "systemd",
        "aten", "syslog", "credentials_obfuscation", "seshat", "amqp10_common", "sysmon_handler", "ranch",
      ],
      "\(erlang)/lib": ["kernel", "stdlib", "inets", "compiler", "mnesia", "ssl", "sasl"],
    ]
    let directories = libraries.flatMap { root, names in names.flatMap { Files.glob("\(root)/\($0)-[0-9]*/ebin") } }
    return directories.isEmpty ? "" : "-pa " + directories.joined(separator: " ")
  }
}
