import ArgumentParser

@main
struct Main {
  static func main() async {
    await BenchCommand.main()
  }
}
