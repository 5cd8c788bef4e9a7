import Foundation
public import Logging
import NIOCore
import NIOPosix
public import ServiceLifecycle
public import Settings
import TerminalText
import UnixSignals

/// The one call an executable makes: configuration, logging, services, signals, exit status.
///
/// SIGTERM and SIGINT stop the services in reverse order within `service.shutdownDeadline` and exit with 0. A failure to
/// start becomes one line on standard error and status 1, never a backtrace.
public enum ServiceMain {
  /// - Parameters:
  ///   - name: Executable's name, e.g. `belfry-router`; also the label of its log lines.
  ///   - summary: One sentence for `--help`.
  ///   - configuration: What is read from the settings before anything is built.
  ///   - build: Answers the long-lived parts in order of dependency: what comes later uses what comes earlier and stops
  ///     first.
  public static func run<Configuration: ServiceConfiguration>(
    name: String,
    summary: String,
    configuration: Configuration.Type,
    build: (Configuration, Logger) async throws -> [any Service]
  ) async {
    if let argument = CommandLine.arguments.dropFirst().first {
      help(name: name, summary: summary, configuration: configuration, isError: !["--help", "-h"].contains(argument))
    }
    do {
      let settings = try await Settings.load()
      let process = ProcessConfiguration(settings)
      let service = Configuration(settings)
      try settings.validate()
      signal(SIGPIPE, SIG_IGN)
      limitEventLoops()
      raiseOpenFiles()
      LoggingSystem.bootstrap { LineLogHandler(label: $0) }
      var logger = Logger(label: name)
      logger.logLevel = process.logLevel
      let exporters = Telemetry.bootstrap()
      let services = exporters + (try await build(service, logger))
      logger.info("starting", metadata: ["pid": "\(ProcessInfo.processInfo.processIdentifier)"])
      try await ServiceGroup(configuration: group(of: services, process, logger)).run()
      logger.info("stopped")
      leave(0)
    } catch {
      FileHandle.standardError.write(Data("\(name): \("\(error)".escapedForTerminal())\n".utf8))
      leave(1)
    }
  }

  /// Gives NIO a loop for each processor but one, unless its own variable says how many: what the loops hand over (queries,
  /// publishes) wants one as well, and fewer loops that each have more to do are woken less often.
  private static func limitEventLoops() {
    let process = ProcessInfo.processInfo
    guard process.environment["NIO_SINGLETON_GROUP_LOOP_COUNT"] == nil else { return }
    NIOSingletons.groupLoopCountSuggestion = max(1, process.activeProcessorCount - 1)
  }

  /// Takes as many open files as the system allows: connections are files, and shells and container engines begin with 1,024.
  private static func raiseOpenFiles() {
    let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    guard getrlimit(files, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
    limit.rlim_cur = limit.rlim_max
    // Whoever is refused goes on with what there is.
    _ = setrlimit(files, &limit)
  }

  /// Ends the process without the handlers of atexit(3): OpenSSL's would take away what a driver's thread, perhaps just
  /// connecting, still uses, and the process would crash instead of ending.
  private static func leave(_ status: Int32) -> Never {
    fflush(nil)
    _exit(status)
  }

  static func group(of services: [any Service], _ process: ProcessConfiguration, _ logger: Logger)
    -> ServiceGroupConfiguration
  {
    var configuration = ServiceGroupConfiguration(
      services: services.map {
        // The group would name it in its log lines by all that it holds, from the catalogue to the passwords.
        .init(service: $0, successTerminationBehavior: .gracefullyShutdownGroup, serviceName: "\(type(of: $0))")
      },
      gracefulShutdownSignals: [.sigterm, .sigint],
      logger: logger
    )
    configuration.maximumGracefulShutdownDuration = process.shutdownDeadline
    configuration.maximumCancellationDuration = .seconds(5)
    return configuration
  }

  private static func help<Configuration: ServiceConfiguration>(
    name: String,
    summary: String,
    configuration: Configuration.Type,
    isError: Bool
  ) -> Never {
    let settings = Settings.documenting()
    _ = ProcessConfiguration(settings)
    _ = Configuration(settings)
    var text = "\(name): \(summary)\n\nIt takes no arguments. Settings are environment variables, or lines of the file"
    text += " that BELFRY_CONFIG_FILE names:\n\n"
    text += settings.descriptions.map { "  \($0.helpText)\n" }.joined()
    (isError ? FileHandle.standardError : .standardOutput).write(Data(text.utf8))
    exit(isError ? 2 : 0)
  }
}

extension Settings.Description {
  /// Two lines: variable, kind and default; then the summary.
  fileprivate var helpText: String {
    let fallback = isRequired ? "required" : defaultValue.map { "default \($0.isEmpty ? "empty" : $0)" } ?? "optional"
    return "\(variable)  (\(kind); \(fallback)\(isSecret ? "; secret" : ""))\n      \(summary)"
  }
}
