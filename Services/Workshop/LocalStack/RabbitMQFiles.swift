import CWorkshopFiles
import Embedded
import Foundation

/// The directory of a private RabbitMQ node, and the environment that ties the node to it.
struct RabbitMQFiles: Sendable {
  static let nodeName = "belfry@localhost"
  /// The only user.
  static let user = "belfry"

  let directory: String
  let installation: RabbitMQInstallation
  let portMapperPort: Int
  let distributionPort: Int

  var log: String { "\(directory)/server.log" }

  /// The user's password, once there is no other user.
  private var passwordFile: String { "\(directory)/password" }
  /// Until then: where the data are of a release that used RabbitMQ's own `guest`.
  private var nextPasswordFile: String { "\(directory)/password.new" }

  /// Whether `guest` may be a user still.
  var mayHaveGuest: Bool { Files.read(passwordFile) == nil }

  /// `guest` is gone.
  func keepPassword() throws(LocalStackError) { try Files.move(nextPasswordFile, to: passwordFile) }

  /// Writes the configuration.
  ///
  /// - Returns: The user's password, which nobody but the owner of the directory can read.
  func prepare(port: Int, tls: RabbitMQCertificate?, tlsPort: Int?) throws(LocalStackError) -> String {
    for part in ["", "/data", "/home"] { try Files.makeDirectory(directory + part) }
    let isFormer = mayHaveGuest && !Files.isEmpty("\(directory)/data")
    let password = try Files.secret(isFormer ? nextPasswordFile : passwordFile)
    try Files.write(Self.definitions(password: password), to: "\(directory)/definitions.json")
    var text = EmbeddedFile.at("compose/rabbitmq/rabbitmq.conf", of: workshop_files).text
    text +=
      "\n# Written by the local stack.\nlisteners.tcp.1 = 127.0.0.1:\(port)\nload_definitions = definitions.json\n"
    if let tls, let tlsPort {
      text += """
        listeners.ssl.1 = 127.0.0.1:\(tlsPort)
        ssl_options.cacertfile = \(tls.authorityFile)
        ssl_options.certfile = \(tls.certificateFile)
        ssl_options.keyfile = \(tls.privateKeyFile)
        ssl_options.verify = verify_none

        """
    }
    try Files.write(text, to: "\(directory)/rabbitmq.conf")
    try Files.write("[].\n", to: "\(directory)/enabled_plugins")
    // Erlang's cookie: generated into HOME at the first start.
    return password
  }

  /// Read at each start, whatever is there: instead of a `guest` with the password that everybody knows the node has this user.
  private static func definitions(password: String) -> String {
    """
    {
      "vhosts": [{"name": "/"}],
      "users": [{"name": "\(user)", "password": "\(password)", "tags": ""}],
      "permissions": [{"user": "\(user)", "vhost": "/", "configure": ".*", "write": ".*", "read": ".*"}]
    }

    """
  }

  /// For the node, the port mapper and `rabbitmqctl`.
  var environment: [String: String] {
    var environment = LocalProcess.inheritedEnvironment
    environment.merge([
      "HOME": "\(directory)/home",
      "PATH": installation.path(environment["PATH"] ?? "/usr/bin:/bin"),
      "LANG": "C.UTF-8",
      "ERL_EPMD_PORT": String(portMapperPort),
      "ERL_EPMD_ADDRESS": "127.0.0.1",
      "ERL_CRASH_DUMP_SECONDS": "0",
      // Makes the script replace itself by the virtual machine, which then is the child itself and gets every signal.
      "RUNNING_UNDER_SYSTEMD": "true",
      "RABBITMQ_NODENAME": Self.nodeName,
      "RABBITMQ_DIST_PORT": String(distributionPort),
      "RABBITMQ_MNESIA_BASE": "\(directory)/data",
      "RABBITMQ_LOG_BASE": directory,
      "RABBITMQ_LOGS": "-",
      "RABBITMQ_CONFIG_FILE": "\(directory)/rabbitmq.conf",
      "RABBITMQ_CONF_ENV_FILE": "/dev/null",
      "RABBITMQ_ENABLED_PLUGINS_FILE": "\(directory)/enabled_plugins",
      "RABBITMQ_GENERATED_CONFIG_DIR": "\(directory)/data",
      // No spinning for work, which other processes would miss; distribution only on loopback.
      "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS":
        "+sbwt none +sbwtdcpu none +sbwtdio none -kernel inet_dist_use_interface {127,0,0,1} \(installation.codePath)",
    ]) { $1 }
    return environment
  }
}
