"""belfry.js, for pages that draw their own list: what it promises in docs/javascript.md, beside the bell's own tests of the same core."""

import random

import pytest

from stub.gateway import CLIENT
from world import wait_until

# The token of whoever `who` names.
PROVIDER = "async () => (await (await fetch('/token/' + who)).json()).token"


def test_the_list_is_live_and_the_databases(open_client, person):
    person.fill(3)
    client = open_client()
    client.agrees()
    person.add("Live")
    client.shows("Live", "Number 3", "Number 2", "Number 1")
    client.agrees()
    assert [detail["notification"]["title"] for detail in client.heard("notification")] == ["Live"]
    wait_until(lambda: client.heard("unread")[-1:] == [{"count": 4}], "the count is told")


def test_what_came_while_there_was_no_connection_is_told_as_missed(open_client, world, person):
    client = open_client()
    client.get("belfry.disconnect()")
    client.wait_for("heard.some(([name, { state }]) => name === 'state' && state === 'disconnected')")
    person.add("Meanwhile")
    client.get("belfry.connect()")
    client.shows("Meanwhile")
    client.wait_for("heard.some(([name]) => name === 'notification')")
    assert [detail["isMissed"] for detail in client.heard("notification")] == [True]


def test_what_is_done_is_there_at_once_and_at_the_server(open_client, person):
    person.fill(6)
    client = open_client()
    done = client.get("""(async () => {
      const all = [
        belfry.markAsRead(idOf("Number 1")), belfry.markAsRead([idOf("Number 2"), idOf("Number 3")]),
        belfry.archive(idOf("Number 4")), belfry.snooze(idOf("Number 5"), new Date(Date.now() + 36e5)), belfry.remove(idOf("Number 6")),
      ];
      globalThis.atOnce = [titles(), belfry.unreadCount];
      return Promise.all(all);
    })()""")
    assert done == [{"ok": True, "error": None}] * 5
    assert client.get("atOnce") == [["Number 3", "Number 2", "Number 1"], 0]
    client.agrees()
    assert person.titles(archived=True) == ["Number 4"] and person.titles(snoozed=True) == ["Number 5"]
    assert person.titles() == ["Number 3", "Number 2", "Number 1"]
    client.get("belfry.load({ place: 'archived' })")
    client.get("belfry.unarchive(belfry.list({ place: 'archived' }).items[0].id)")
    client.get("belfry.load({ place: 'snoozed' })")
    client.get("belfry.unsnooze(belfry.list({ place: 'snoozed' }).items[0].id)")
    client.get("belfry.markAsUnread(idOf('Number 2'))")
    client.agrees()
    assert person.unread == 3
    assert client.get("belfry.markAllAsRead()") == {"ok": True, "error": None}
    client.agrees()
    assert person.unread == 0


def test_a_removal_is_taken_back(open_client, person):
    person.fill(2)
    client = open_client(times={"undo": 60_000})
    assert client.get("""(async () => {
      const removal = belfry.remove(idOf("Number 1"));
      const during = titles();
      return [during, removal.undo(), titles(), removal.undo(), (await removal).ok];
    })()""") == [["Number 2"], True, ["Number 2", "Number 1"], False, False]
    assert len(person.listed()) == 2


def test_what_fails_for_good_is_taken_back_and_told(open_client, stub, person):
    person.fill(2)
    client = open_client()
    stub.fail("PATCH .*/archive", status=403)
    outcome = client.get("""(async () => {
      const { ok, error } = await belfry.archive(idOf("Number 2"));
      return [ok, error instanceof BelfryError, error.code, error.status, error.operation.kind];
    })()""")
    assert outcome == [False, True, "forbidden", 403, "archive"]
    client.shows("Number 2", "Number 1")
    assert [detail["error"]["code"] for detail in client.heard("error")] == ["forbidden"]


def test_many_at_once_go_in_several_calls(open_client, stub, person):
    """Each id once, none left out; of none there is no call at all."""
    person.fill(250)
    client = open_client()
    ids = [row["id"] for row in person.listed()]
    stub.api.requests.clear()
    assert client.get("ids => belfry.markAsRead(ids)", [*ids, *ids]) == {"ok": True, "error": None}
    assert person.unread == 0
    assert stub.api.requests.count("POST /api/v1/notifications/read") == 3
    stub.api.requests.clear()
    assert client.get("belfry.markAsRead([])") == {"ok": True, "error": None}
    assert stub.api.requests == []


def test_seen_opened_and_a_button_are_told(open_client, stub, person):
    person.fill(2)
    client = open_client()
    client.get("(belfry.markAsSeen([idOf('Number 1'), idOf('Number 2')]), belfry.opened(idOf('Number 2')), null)")
    wait_until(lambda: all(row["seenAt"] for row in person.listed()), "both are seen")
    wait_until(lambda: person.listed()[0]["openedAt"], "one is opened")
    id = person.listed()[0]["id"]
    assert client.get("async id => (await belfry.act(id, 'nothing')).ok", id) is False
    assert f"POST /api/v1/notifications/{id}/actions/nothing" in stub.api.requests


def test_a_list_is_the_same_object_until_it_changes(open_client, person):
    person.fill(3)
    client = open_client()
    client.agrees()
    assert client.get("""(() => {
      const before = belfry.list();
      const same = [belfry.list() === before, belfry.list({}) === before, belfry.list({ place: 'inbox' }) === before];
      belfry.markAsRead(idOf('Number 1'));
      const after = belfry.list();
      return [...same, after === before, after.items[0] === before.items[0], after.items[2] === before.items[2],
        Object.isFrozen(after.items[2])];
    })()""") == [True, True, True, False, True, False, True]


def test_pages_and_filters(open_client, person):
    person.fill(45)
    client = open_client()
    assert client.get("[titles().length, belfry.list().hasMore]") == [20, True]
    client.get("belfry.loadMore()")
    assert client.get("[titles().length, belfry.list().hasMore]") == [45, False]
    client.get("belfry.markAsRead(idOf('Number 45'))")
    client.get("belfry.load({ unreadOnly: true })")
    assert client.get("titles({ unreadOnly: true })[0]") == "Number 44"
    client.get("belfry.markAsRead(idOf('Number 44'))")
    assert client.get("titles({ unreadOnly: true })[0]") == "Number 43"


def test_a_page_that_does_not_come_is_told_in_the_list(open_client, stub, person):
    person.fill(30)
    client = open_client()
    fault = stub.fail("GET /api/v1/notifications", status=500)
    client.get("belfry.loadMore()")
    assert client.get("[belfry.list().error.code, belfry.list().isLoading, titles().length]") == ["unavailable", False, 20]
    stub.end_faults()
    client.get("belfry.loadMore()")
    assert fault.met >= 1 and client.get("[belfry.list().error, titles().length]") == [None, 30]


def test_listeners_end_alone_and_hurt_nobody(open_client, person):
    client = open_client()
    client.get("""(() => {
      globalThis.calls = [];
      const listen = detail => calls.push(detail === undefined);
      globalThis.stop = belfry.subscribe(() => { throw new Error('of the page'); });
      globalThis.ends = [belfry.subscribe(listen), belfry.subscribe(listen)];
      ends[0]();
      ends[0]();
    })()""")
    person.add("Hello")
    client.wait_for("titles().length === 1 && calls.length > 0")
    client.agrees()
    client.get("stop()")
    assert client.get("calls.every(Boolean)")
    wait_until(lambda: client.page.errors, "it is reported")
    assert all("of the page" in error for error in client.page.errors)
    client.page.errors.clear()
    assert client.get("""(() => {
      try { belfry.on('notifications', () => {}); } catch (error) { return error instanceof TypeError; }
    })()""")


def test_nothing_is_asked_before_it_is_connected(open_client, stub, person):
    client = open_client(connect=False)
    assert client.get("[belfry.state, belfry.unreadCount, belfry.list().isLoaded]") == ["disconnected", None, False]
    assert stub.site.token_requests[person.id] == 0 and stub.api.requests == []
    client.get("(belfry.connect(), belfry.connect())")
    client.wait_for("belfry.state === 'connected'")
    assert len(stub.connections.open_connections(person)) == 1


def test_states_are_told_in_their_order(open_client, stub, person):
    client = open_client()
    last = "state => heard.findLast(([name]) => name === 'state')?.[1].state === state"
    client.wait_for(last, "connected")
    stub.connections.negotiation_status = 503
    stub.hub_line.drop()
    client.wait_for(last, "reconnecting")
    stub.connections.negotiation_status = None
    client.wait_for(last, "connected")
    client.get("belfry.disconnect()")
    client.wait_for(last, "disconnected")
    states = client.heard("state")
    # One that lasts less than a frame may be passed over.
    assert [each["state"] for each in states][-4:] == ["connected", "reconnecting", "connected", "disconnected"]
    assert [each["previous"] for each in states] == ["disconnected", *(each["state"] for each in states[:-1])]


def test_an_event_of_the_catalogue(open_client, stub, person):
    client = open_client()
    stub.server_loop.do(lambda: stub.connections.publish(person, "BalanceUpdated", {"balance": 7}))
    client.wait_for("heard.some(([name]) => name === 'event')")
    assert client.heard("event") == [{"name": "BalanceUpdated", "arguments": [{"balance": 7}]}]


def test_a_pause_is_quiet(open_client, stub, person):
    client = open_client()
    client.get("belfry.pause()")
    wait_until(lambda: not stub.connections.open_connections(person), "it lets go")
    assert client.get("belfry.state") == "paused"
    person.add("Meanwhile")
    stub.api.requests.clear()
    client.get("belfry.load({ unreadOnly: true })")
    assert stub.api.requests == [] and client.get("titles()") == []
    client.get("belfry.resume()")
    client.shows("Meanwhile")
    client.agrees()


def test_a_token_is_asked_for_again_once_and_then_by_who_signs_in(open_client, stub, person):
    client = open_client()
    stub.site.token_answers[person.id] = lambda: "worthless"
    stub.refused_tokens.update(["worthless"])
    asked = stub.site.token_requests[person.id]
    client.get("belfry.signOut()")
    client.get("belfry.connect()")
    client.wait_for("belfry.state === 'unauthorized'")
    assert stub.site.token_requests[person.id] == asked + 2
    del stub.site.token_answers[person.id]
    person.add("Hello")
    client.get("belfry.retry()")
    client.wait_for("belfry.state === 'connected'")
    client.agrees()


def test_a_function_is_told_whether_its_token_was_refused(open_client, stub, person):
    provider = (
        f"async how => (globalThis.asked ??= []).push([how.isRefresh, how.signal instanceof AbortSignal]) && "
        f"(await (await fetch('/token/{person.id}', how)).json()).token"
    )
    first = person.token()
    stub.site.token_answers[person.id] = lambda: first
    client = open_client(tokenUrl=None, token=provider)
    stub.refused_tokens.add(first)
    del stub.site.token_answers[person.id]
    client.get("belfry.refresh()")
    assert client.get("asked") == [[False, True], [True, True]]


def test_who_signs_out_leaves_nothing_to_who_comes_next(open_client, world, person):
    person.fill(3)
    other = world.new_person()
    other.fill(1)
    client = open_client(connect=False, tokenUrl=None, token=PROVIDER)
    client.get("id => { globalThis.who = id; belfry.connect(); }", person.id)
    client.wait_for("belfry.state === 'connected' && titles().length === 3")
    wait_until(lambda: client.heard("unread") == [{"count": 3}], "the count is told")
    assert client.get("(belfry.signOut(), [titles(), belfry.unreadCount, belfry.state])") == [[], None, "disconnected"]
    wait_until(lambda: client.heard("unread")[-1] == {"count": None}, "that there is none is told")
    told = client.get("heard.length")
    person.add("Not for them")
    client.get("id => { who = id; belfry.connect(); }", other.id)
    client.shows("Number 1")
    client.person = other
    client.agrees()
    assert not [detail for name, detail in client.get("told => heard.slice(told)", told) if name in ("notification", "error")]


def test_another_call_of_the_api(open_client, stub, person):
    client = open_client()
    assert client.get("belfry.request('GET', '/api/v1/notifications/preferences')")["soundEnabled"] is True
    assert client.get("""(async () => {
      try { await belfry.request('PATCH', '/api/v1/notifications/none/read'); } catch (error) { return [error instanceof BelfryError, error.code]; }
    })()""") == [True, "not-found"]


@pytest.mark.parametrize("broken, module", [({"WebSockets"}, "event-stream"), ({"WebSockets", "ServerSentEvents"}, "long-polling")])
def test_modules_of_other_transports_come_from_beside_it(open_client, stub, person, broken, module):
    stub.connections.broken_transports = broken
    client = open_client()
    person.add("Live")
    client.agrees()
    loaded = client.get("performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)")
    assert any(path.startswith("/client/") and module in path for path in loaded)
    assert not [path for path in loaded if path.startswith("/bell/v1/")]


def test_a_copy_of_ones_own_is_told_where_the_gateway_is(open_client, stub, person):
    client = open_client(connect=False)
    stub.site.files["/copied/belfry.js"] = ((CLIENT / "belfry.js").read_text(), "text/javascript")
    client.get(
        """async (gateway, hub, tokenUrl) => {
          const { createBelfry } = await import('/copied/belfry.js');
          globalThis.belfry = createBelfry({ gateway: `${gateway}/`, hub, tokenUrl });
          belfry.connect();
        }""",
        stub.gateway, stub.hub, f"/token/{person.id}",
    )  # fmt: skip
    person.add("Hello")
    client.shows("Hello")


def test_a_bell_and_two_lists_in_step(open_bell, open_client, world, person):
    """Forty acts by three hands, in an order that the seed of the run names, with a cut now and then."""
    person.fill(6)
    bell, clients = open_bell('layout="inline"'), [open_client(), open_client()]
    seed = random.randrange(1 << 32)
    print(f"seed {seed}")
    chance = random.Random(seed)
    for step in range(40):
        rows = person.listed()
        id = chance.choice(rows)["id"] if rows else None
        match chance.randrange(7):
            case 0 | 1:
                person.add(f"Step {step}")
            case 2 if id:
                person.rest("PATCH", f"/api/v1/notifications/{id}/{chance.choice(['read', 'unread', 'archive'])}")
            case 3 | 4 | 5 if id:
                act = chance.choice(["markAsRead", "markAsUnread", "archive", "remove"])
                chance.choice(clients).get("(act, id) => { belfry[act](id); }", act, id)
            case 6:
                world.hub_line.drop()
    for each in [*clients, bell]:
        each.agrees(within=20)


def test_a_count_is_right_where_there_is_no_hub(open_client, world, person):
    """What became of old ones comes with an answer, and so does its count: nobody tells of either apart."""
    person.fill(40)
    client = open_client()
    client.get("belfry.loadMore()")
    client.wait_for("belfry.list().items.length === 40")
    rows = person.listed()
    client.get("belfry.pause()")
    client.wait_for("belfry.state === 'paused'")
    person.rest("PATCH", f"/api/v1/notifications/{rows[-1]['id']}/read")
    person.rest("DELETE", f"/api/v1/notifications/{rows[-2]['id']}")
    client.get("belfry.refresh()")
    assert client.get("[belfry.list().items.length, belfry.unreadCount]") == [39, 38]
    client.agrees()
    client.get("belfry.resume()")
    client.wait_for("belfry.state === 'connected'")
    client.agrees()


def test_an_older_page_changes_no_count_that_was_sent_meanwhile(open_client, stub, person):
    person.fill(40)
    client = open_client()
    stub.hold("GET /api/v1/notifications")
    client.get("belfry.loadMore(), null")
    wait_until(lambda: stub.api.faults[0].met, "the page is asked for")
    person.add("Meanwhile")
    client.wait_for("belfry.unreadCount === 41")
    wait_until(lambda: client.heard("unread")[-1:] == [{"count": 41}], "the count is told")
    counts = len(client.heard("unread"))
    stub.end_faults()
    client.wait_for("belfry.list().items.length === 41")
    assert client.get("belfry.unreadCount") == 41
    assert client.heard("unread")[counts:] == []
