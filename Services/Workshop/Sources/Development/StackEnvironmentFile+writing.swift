import ConsoleCommands
import Foundation
import LocalStack

extension StackEnvironmentFile {
  /// Writes the file so that only its owner can read it: it contains secrets.
  static func write(_ stack: BelfryStack) throws {
    let text = """
      # How to reach the local stack, for `BELFRY_CONFIG_FILE` and the commands of `belfry` and `belfry-dev`. Written by `belfry-dev run`.
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
