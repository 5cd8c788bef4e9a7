import ConsoleCommands
import EmailDispatcher
import Foundation
import Gateway
import InAppDispatcher
import OperatorCLI
import PushDispatcher
import Router

/// The program that is installed, which does what it is called by: `belfry` are the commands for operators, and a link to it with the
/// name of a service is that service. It is built, installed and kept in memory once.
@main
enum Main {
  static func main() async {
    switch URL(filePath: CommandLine.arguments.first ?? "").lastPathComponent {
    case "belfry-gateway": await GatewayProgram.run()
    case "belfry-router": await RouterProgram.run()
    case "belfry-push": await PushDispatcherProgram.run()
    case "belfry-email": await EmailDispatcherProgram.run()
    case "belfry-inapp": await InAppDispatcherProgram.run()
    case "belfry-simulator": MovedSimulator.refuse()
    default:
      ServiceCheck.install(push: pushCheck)
      ServiceCheck.install(mail: mailCheck)
      await BelfryCommand.start(usageStatuses: BelfryCommand.usageStatuses)
    }
  }

  /// What the commands do not know of the push dispatcher, for no service knows another.
  private static let pushCheck: ServiceCheck.Reading = { settings in
    let configuration = PushConfiguration(settings)
    return { logger in
      await PushCheck.run(configuration, logger: logger).map {
        ServiceCheck.Finding(subject: $0.provider, isGood: $0.isGood, text: $0.text)
      }
    }
  }

  /// What the commands do not know of the email dispatcher.
  private static let mailCheck: ServiceCheck.MailReading = { settings, options in
    let configuration = EmailConfiguration(settings)
    let check = MailCheck(
      addresses: options.addresses,
      selectors: options.selectors,
      resolver: options.resolver,
      reporting: settings
    )
    return { logger in
      await check.findings(for: configuration, logger: logger).map {
        ServiceCheck.MailFinding(
          subject: $0.subject.rawValue,
          verdict: Main.verdict($0.verdict),
          text: $0.text,
          advice: $0.advice
        )
      }
    }
  }

  private static func verdict(_ verdict: MailFinding.Verdict) -> ServiceCheck.MailFinding.Verdict {
    switch verdict {
    case .good: .good
    case .note: .note
    case .bad: .bad
    }
  }
}
