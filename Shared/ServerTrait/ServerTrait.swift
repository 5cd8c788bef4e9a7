// Every module of the servers depends on this one, so that a build without the trait ends with this sentence, and not with hundreds
// of modules that are not found.
#if !Server
  #error(
    "Belfry's servers are built by `make build`, with the trait Server; `swift build --target BelfryClient` builds the client."
  )
#endif
