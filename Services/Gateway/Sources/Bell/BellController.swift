import Hummingbird
import BelfryJSON

/// The bell for web pages, `<belfry-bell>`, its core for those who draw their own list, and what both ask first. Open to all: it is the same
/// for all.
struct BellController {
  private let configuration: Representation

  init(_ dependencies: GatewayDependencies) {
    configuration = Representation { writer in
      writer.object { writer in
        writer.field("hub", dependencies.hub.description)
        writer.object("limits") { writer in
          writer.field("pageSize", InboxController.maximumPageSize)
          writer.field("notificationIds", NotificationSelection.maximumIDs)
        }
      }
    }
  }

  var routes: [Route] {
    [
      module("/bell/v1/:file", of: BellFile.all),
      module("/client/v1/:file", of: BellFile.client),
      .get("/bell/config.json", .open) { [configuration] request, _ in
        var response = try Precondition(request).answer(configuration)
        response.headers[.accessControlAllowOrigin] = "*"
        return response
      },
    ]
  }

  private func module(_ path: String, of files: [String: BellFile]) -> Route {
    .get(path, .open) { request, context in
      guard let file = files[try context.parameters.require("file")] else { throw Problem.notFound }
      return try file.answer(request)
    }
  }
}
