import EmailDispatcher

@main
enum Main {
  static func main() async {
    await EmailDispatcherProgram.run()
  }
}
