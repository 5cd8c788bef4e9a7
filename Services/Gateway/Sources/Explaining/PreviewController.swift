import Hummingbird
import BelfryJSON
import NotificationModel

/// `POST /api/v1/admin/preview`: how a type is worded. It stores nothing and notifies nobody.
struct PreviewController {
  let catalogue: Catalogue

  init(_ dependencies: GatewayDependencies) {
    catalogue = dependencies.catalogue
  }

  var routes: [Route] { [.post("admin/preview", .admin, preview)] }

  func preview(_ request: Request, context: GatewayContext) async throws -> Response {
    let preview: Preview = try await RequestBody.read(of: request)
    let renderings = try preview.render(in: catalogue)
    return .json { writer in
      writer.object { writer in
        writer.field("type", renderings.type.code)
        writer.field("typeName", renderings.type.name)
        writer.field("locale", renderings.locale)
        writer.object("channels") { writer in
          for rendering in renderings.channels {
            writer.dynamicKey(rendering.channel.name(among: catalogue.channels))
            writer.object { writer in
              writer.field("title", rendering.text.title)
              writer.field("body", rendering.text.body)
            }
          }
        }
        if let mail = renderings.mail {
          writer.object("mail") { writer in
            writer.field("subject", mail.subject)
            writer.field("text", mail.text)
            writer.field("html", mail.html)
          }
        }
      }
    }
  }
}
