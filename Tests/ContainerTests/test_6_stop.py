"""Looked at, stopped, and started again; the commands are those of docs/operations.md."""

from family import MEMBERS, inbox


def test_operators_see_how_it_is(stack, chapter):
    answer = chapter.run("Look", stack)
    for said in ["healthy", "gateway", "belfry.push.parked", "AllowanceDeposit"]:
        assert said in answer


def test_all_stop_with_status_0_and_come_back_with_what_they_had(stack, chapter, stopwatch):
    before = {member: inbox(stack, member.id) for member in MEMBERS}
    assert all(before.values())
    chapter.run("Stop", stack)
    stopwatch("stopped")
    stopped = stack.containers()
    assert [each for each in stopped if each.state["Running"] or each.state["ExitCode"] != 0] == []
    chapter.run("Start again", stack)
    stack.until_healthy(*{each.service for each in stopped if "Health" in each.state})
    stopwatch("ready again")
    assert {each.id for each in stack.containers()} == {each.id for each in stopped}
    for member, titles in before.items():
        # What begins anew with the stack, such as the demo's first notification, may have come on top.
        assert inbox(stack, member.id)[-len(titles) :] == titles
