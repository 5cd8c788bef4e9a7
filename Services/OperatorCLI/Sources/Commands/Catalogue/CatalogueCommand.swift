import ArgumentParser

/// `belfry catalogue`
struct CatalogueCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "catalogue",
    abstract: "Checks, applies and shows your catalogue: types, texts, rules.",
    discussion: """
      A file is applied as the next version. Gateways, routers and in-app nodes take it within five seconds, without a restart.

        belfry catalogue check catalogue.yaml
        belfry catalogue diff catalogue.yaml
        belfry catalogue apply catalogue.yaml
        belfry catalogue rollback 3
      """,
    subcommands: [
      CatalogueCheckCommand.self, CatalogueDiffCommand.self, CatalogueApplyCommand.self, CatalogueVersionsCommand.self,
      CatalogueShowCommand.self, CatalogueRollbackCommand.self, CatalogueLayoutCommand.self,
    ]
  )

  init() {}
}
