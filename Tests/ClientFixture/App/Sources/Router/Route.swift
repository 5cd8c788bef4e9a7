/// A place in the app. The servers have a module of this name, too.
public enum Route: Sendable {
  case inbox
}
