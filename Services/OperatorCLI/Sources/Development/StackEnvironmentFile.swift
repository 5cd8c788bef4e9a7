import Foundation
import LocalStack

/// `belfry.env` in the data directory: how the other commands, and people, reach the local stack.
enum StackEnvironmentFile {
  static func path(in directory: String) -> String {
    URL(filePath: directory).appending(path: "belfry.env").path
  }

  /// Writes the file so that only its owner can read it: it contains secrets.
  static func write(_ stack: BelfryStack) throws {
    let text = """
      # How to reach the local stack, for `BELFRY_CONFIG_FILE` and the commands of `belfry`. Written by `belfry dev`.
      BELFRY_DATABASE_URL=\(stack.databaseURL)
      BELFRY_BROKER_URL=\(stack.rabbitmq.url)
      BELFRY_AUTH_SECRET=\(stack.tokenSecret)
      BELFRY_CLI_GATEWAY_URL=\(stack.gatewayURL)
      BELFRY_DEMO_PAGE_URL=\(stack.simulator.url)

      """
    let file = path(in: stack.configuration.directory)
    try? FileManager.default.removeItem(atPath: file)
    guard
      FileManager.default.createFile(
        atPath: file,
        contents: Data(text.utf8),
        attributes: [.posixPermissions: 0o600]
      )
    else { throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: file]) }
  }
}
