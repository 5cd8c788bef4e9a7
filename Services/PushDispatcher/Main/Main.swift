import PushDispatcher

@main
enum Main {
  static func main() async {
    await PushDispatcherProgram.run()
  }
}
