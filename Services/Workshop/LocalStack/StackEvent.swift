/// What a local stack reports while it works.
public enum StackEvent: Sendable {
  /// Which of ``BelfryStackConfiguration/settings`` the services get, and for which the stack has values of its own.
  case settings(taken: [String], overridden: [String])
  /// A step that may take seconds has begun.
  case began(String)
  case finished(String, took: Duration)
  /// A process ended although nobody asked it to; it is started again after the pause.
  case crashed(StackProcess, status: Int32, restartsIn: Duration)
  case recovered(StackProcess)
}
