/// The two services of APNs.
enum APNsEnvironment: String, Sendable, CaseIterable {
  case production, sandbox

  /// Which of the simulator's ports it is.
  var server: ListeningPorts.Server {
    switch self {
    case .production: .apns
    case .sandbox: .apnsSandbox
    }
  }
}
