public import Logging
public import NotificationModel

extension Catalogue {
  /// Logs what a check of an operator's file objects to and a service takes all the same.
  ///
  /// - Parameter path: Of a file that was read without an error; empty is none.
  public static func logFindings(
    inFile path: String,
    channels: [any RoutingChannel] = Channel.routing,
    to logger: Logger
  ) {
    for problem in findings(inFile: path, channels: channels) {
      var metadata: Logger.Metadata = ["file": .string(path), "problem": .string(problem.description)]
      if let line = problem.line { metadata["line"] = .stringConvertible(line) }
      logger.warning("the catalogue file has something that a check objects to", metadata: metadata)
    }
  }
}
