import Router

@main
enum Main {
  static func main() async {
    await RouterProgram.run()
  }
}
