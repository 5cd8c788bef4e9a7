import ConsoleCommands
import Foundation
import Simulator
import Workshop

/// What nobody installs: `belfry-dev` are the commands that run all of Belfry on one machine and show what it does, and a link to it
/// by the name of `belfry-simulator` is the simulator.
@main
enum Main {
  static func main() async {
    switch URL(filePath: CommandLine.arguments.first ?? "").lastPathComponent {
    case "belfry-simulator": await SimulatorProgram.run()
    default: await WorkshopCommand.start()
    }
  }
}
