/// What a local stack tells while it works.
public enum StackEvent: Sendable {
  /// A step that may take seconds has begun.
  case began(String)
  case finished(String, took: Duration)
  /// A process ended although nobody asked it to; it is started again after the pause.
  case crashed(StackProcess, status: Int32, restartsIn: Duration)
  case recovered(StackProcess)
}
