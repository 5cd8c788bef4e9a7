import InAppDispatcher

@main
enum Main {
  static func main() async {
    await InAppDispatcherProgram.run()
  }
}
