/// How an invocation ended.
public enum HubResult: Sendable, Equatable {
  case void
  case value(HubValue)
  case error(String)
}
