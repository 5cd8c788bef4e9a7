public import NotificationModel
public import Settings

extension PushProviders: ServiceConfiguration {
  /// Reads `push.providers`: of the push dispatcher, of routers, and of gateways, which explain what routers decide.
  public init(_ settings: Settings) {
    self.init(
      settings.names(
        "push.providers",
        of: DevicePlatform.Carrier.implemented,
        default: PushProviders.standard.carriers,
        "Who carries pushes. For router and gateway what the deployment has: who has devices, but none of theirs, gets none (noProvider). "
          + "For a push dispatcher what it serves itself."
      )
    )
  }
}
