import OperatorCLI

@main
enum Main {
  static func main() async {
    await BelfryCommand.start()
  }
}
