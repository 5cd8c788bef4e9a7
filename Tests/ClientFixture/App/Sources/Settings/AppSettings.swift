/// What the app's user has set. The servers have a module of this name, too.
public struct AppSettings: Sendable {
  public let title = "of an app"

  public init() {}
}
