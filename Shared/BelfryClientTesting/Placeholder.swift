// A server in memory, for previews and the tests of apps.
