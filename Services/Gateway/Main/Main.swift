import Gateway

@main
enum Main {
  static func main() async {
    await GatewayProgram.run()
  }
}
