/// The hub's two names, for two families of clients. They differ in the form of some events' arguments.
enum HubPath: String, CaseIterable, Sendable {
  case notifications = "/hubs/notifications"
  case family = "/hub/family"
}
