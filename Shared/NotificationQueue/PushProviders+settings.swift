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
        "Providers that carry pushes. Router and gateway: all providers of the deployment; a recipient whose devices "
          + "belong to other providers gets no push (noProvider). Push dispatcher: the providers that this process "
          + "serves."
      )
    )
  }
}
