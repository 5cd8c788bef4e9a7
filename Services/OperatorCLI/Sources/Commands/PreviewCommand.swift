import ArgumentParser
import Authentication
import ConsoleCommands
import BelfryJSON

/// `belfry preview`
struct PreviewCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "preview",
    abstract: "Shows how a type is worded on each channel. Nothing is sent.",
    discussion: """
      By the gateway's catalogue. `belfry types` lists the types with the data that each needs; what is missing is named. Without \
      --data, the type's example is filled in. With a type that is built in:

        belfry preview AllowanceDeposit
        belfry preview AllowanceDeposit --data 'amount=$5.00' --data 'balance=$47.00' --locale de-AT
        belfry preview AllowanceDeposit --html > mail.html
      """
  )

  @Argument(help: "A type's code or name; `belfry types` lists them.", transform: Identifier.name)
  var type: String

  @OptionGroup var data: DataOptions

  @Option(help: ArgumentHelp("The reader's language, e.g. de-AT.", valueName: "locale"))
  var locale: String?

  @Flag(help: "Prints the mail as HTML and nothing else, to look at in a browser.")
  var html = false

  @OptionGroup var options: ShowOptions

  init() {}

  func validate() throws {
    if html, options.json { throw ValidationError("--html prints the mail alone: leave out --json.") }
  }

  func run(on console: Console) async throws {
    let isHTML = html
    try await options.ask("POST", GatewayPath("admin", "preview"), as: .admin, on: console) { answer in
      guard isHTML else { return Self.lines(answer) }
      try console.document(Self.html(answer))
      return []
    } body: { writer in
      writer.object { writer in
        writer.type(type)
        // Without any, the type's example is shown.
        if !data.values.isEmpty { writer.data(data.values) }
        writer.optionalField("locale", locale)
      }
    }
  }

  private static func lines(_ answer: JSONValue) -> [String] {
    let name = "\(answer["typeName"]?.shown ?? "?") (\(answer["type"]?.shown ?? "?"))"
    let channels = (answer["channels"]?.members ?? []).flatMap { channel in
      let body = (channel.value["body"]?.shown ?? "-").split(
        omittingEmptySubsequences: false,
        whereSeparator: \.isNewline
      )
      return ["  \(channel.name): \(channel.value["title"]?.shown ?? "-")"] + body.map { $0.isEmpty ? "" : "    \($0)" }
    }
    return ["\(name), locale \(answer["locale"]?.shown ?? "?")"] + channels + mail(answer)
  }

  /// Where the mail says more than title and body.
  private static func mail(_ answer: JSONValue) -> [String] {
    guard let mail = answer["mail"], let subject = mail["subject"]?.shown, let text = mail["text"]?.shown else {
      return []
    }
    let (title, body) = (answer["channels"]?["email"]?["title"]?.shown, answer["channels"]?["email"]?["body"]?.shown)
    guard subject != title || text != "\(body ?? "")\n" else { return [] }
    return ["  the mail: \(subject)"] + Self.lines(of: text).map { $0.isEmpty ? "" : "    \($0)" }
  }

  private static func html(_ answer: JSONValue) throws -> String {
    guard let html = answer["mail"]?["html"]?.string else {
      throw CommandFailure("The gateway's answer has no mail. Is it a gateway of this version?")
    }
    return html
  }

  private static func lines(of text: String) -> [String] {
    var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }
}
