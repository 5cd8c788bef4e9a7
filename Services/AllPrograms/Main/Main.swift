import EmailDispatcher
import Foundation
import Gateway
import InAppDispatcher
import OperatorCLI
import PushDispatcher
import Router
import Simulator

/// All of Belfry's programs in one file, which does what the program does by whose name it is called: the image has it once, and
/// links to it. Seven files hold what they share seven times.
@main
enum Main {
  static func main() async {
    let name = URL(fileURLWithPath: CommandLine.arguments.first ?? "").lastPathComponent
    switch name {
    case "belfry": await BelfryCommand.start()
    case "belfry-gateway": await GatewayProgram.run()
    case "belfry-router": await RouterProgram.run()
    case "belfry-push": await PushDispatcherProgram.run()
    case "belfry-email": await EmailDispatcherProgram.run()
    case "belfry-inapp": await InAppDispatcherProgram.run()
    case "belfry-simulator": await SimulatorProgram.run()
    default:
      FileHandle.standardError.write(
        Data(
          "\(name): call this by the name of one of Belfry's programs, such as belfry-router (a link to this file).\n"
            .utf8
        )
      )
      exit(64)
    }
  }
}
