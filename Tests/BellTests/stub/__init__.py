"""A Belfry in memory: the gateway's REST API and the hub, whose database the tests ask afterwards."""
