import Hummingbird
import JSON

/// The bell for web pages, `<belfry-bell>`, and what it asks first. Open to all: it is the same for all.
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
      .get("/bell/v1/:file", .open) { request, context in
        guard let file = BellFile.all[try context.parameters.require("file")] else { throw Problem.notFound }
        return try file.answer(request)
      },
      .get("/bell/config.json", .open) { [configuration] request, _ in
        var response = try Precondition(request).answer(configuration)
        response.headers[.accessControlAllowOrigin] = "*"
        return response
      },
    ]
  }
}
