import Simulator

@main
enum Main {
  static func main() async {
    await SimulatorProgram.run()
  }
}
