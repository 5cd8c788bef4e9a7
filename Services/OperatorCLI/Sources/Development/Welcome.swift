import LocalStack

/// What a newcomer reads when everything runs.
enum Welcome {
  static func text(_ stack: BelfryStack) async throws -> String {
    let maria = DemoFamily.members[0]
    let service = try await DemoFamily.serviceToken(stack, lifetime: .seconds(7 * 86_400))
    let user = try await DemoFamily.token(of: maria, stack, lifetime: .seconds(7 * 86_400))
    return """

      Belfry is running. Ctrl-C stops it.

        gateway     \(stack.gatewayURL)
        hub         \(stack.hubURL)   (SignalR)
        simulator   \(stack.simulator.url)/api/pushes, /api/mails   (what FCM and the mail server got)
        RabbitMQ    \(stack.rabbitmq.url)
        PostgreSQL  BELFRY_DATABASE_URL in \(stack.configuration.directory)/belfry.env
        logs        \(stack.configuration.directory)/logs/

      Send, as a backend (token for a week):

        curl -sS \(stack.gatewayURL)/api/v1/notifications \\
          -H 'Authorization: Bearer \(service)' \\
          -H 'Content-Type: application/json' \\
          -d '{"to":{"group":"\(DemoFamily.group)"},"type":"AllowanceDeposit","data":{"amount":"$5.00","balance":"$47.00"}}'

      Read, as \(maria.name):

        curl -sS \(stack.gatewayURL)/api/v1/notifications \\
          -H 'Authorization: Bearer \(user)'

      See what her phone got:

        curl -sS '\(stack.simulator.url)/api/pushes?token=\(maria.deviceToken)'
      """
  }
}
