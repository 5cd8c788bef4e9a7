import Foundation

/// `belfry.env` in the data directory: how commands, and people, reach the local stack. `belfry-dev run` writes it.
public enum StackEnvironmentFile {
  public static func path(in directory: String) -> String {
    URL(filePath: directory).appending(path: "belfry.env").path
  }
}
