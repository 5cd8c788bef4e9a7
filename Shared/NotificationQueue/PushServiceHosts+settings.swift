public import NotificationModel
public import Settings

extension PushServiceHosts: ServiceConfiguration {
  /// Reads `push.webpush.hosts`: of the push dispatcher and of gateways.
  public init(_ settings: Settings) {
    self = settings.value(
      "push.webpush.hosts",
      default: PushServiceHosts.standard,
      kind: "hosts, each with :port unless that is 443, separated by commas",
      "Hosts of push services of your own, and all below them, besides those of the browsers' makers. Give gateway and push "
        + "dispatcher the same.",
      isShared: true
    )
  }
}
