"""Preferences by category and type, quiet hours on a bar of the day, pause and mute."""

import pytest

from world import wait_until


@pytest.fixture
def settings(open_bell, stub, person):
    """The settings of an open panel; `.control(name)` is the selector of a control by its accessible name."""
    return open_settings(open_bell)


def open_settings(open_bell, **more):
    bell = open_bell('preferences quiet-hours layout="inline"', emulate={"viewport": (500, 1200), "timezone": "Europe/Berlin"}, **more)
    bell.page.click(bell.part("settings-button"))
    bell.wait_for("shown('settings')?.querySelector('[role=switch]')")
    return bell


def control(bell, key):
    return f'{bell.part("settings")} [data-key="{key}"]'


def test_a_category_on_a_channel(settings, person):
    settings.page.click(control(settings, "Allowance/inApp"))
    wait_until(lambda: not person.settings.types[10]["inAppEnabled"] and not person.settings.types[12]["inAppEnabled"], "it is off")
    assert person.settings.types[20]["inAppEnabled"]
    settings.page.click(control(settings, "Allowance/email"))
    wait_until(lambda: person.settings.types[10]["emailEnabled"], "it is on")


def test_one_type_of_a_category(settings, person):
    settings.page.click(control(settings, "Allowance"))
    settings.page.click(control(settings, "Allowance Deposit/push"))
    wait_until(lambda: not person.settings.types[10]["pushEnabled"], "it is off")
    # The category is still on for the other one.
    assert person.settings.types[12] == {"inAppEnabled": True, "pushEnabled": False, "emailEnabled": False}


def test_a_catalogue_without_types_has_no_table_and_all_the_rest(open_bell, stub, person, monkeypatch):
    monkeypatch.setattr("stub.settings.CATALOGUE", [])
    bell = open_settings(open_bell)
    bell.page.click(control(bell, "sound"))
    wait_until(lambda: not person.settings.sound, "it is off")
    assert bell.get("root.querySelectorAll('.choices').length") == 0


def state(bell, key):
    """`on`, `off` or `mixed`, as a screen reader has it."""
    label = key.replace("/", ": ").replace("push", "Push").replace("email", "Email").replace("inApp", "Here")
    checked = bell.page.accessibility().find("checkbox", label).properties["checked"]
    return {"true": "on", "false": "off", "mixed": "mixed"}[checked]


def emails(person):
    return [person.settings.types[code]["emailEnabled"] for code in (10, 12)]


def test_a_category_whose_types_differ_is_mixed_and_a_click_sets_all(settings, person):
    assert state(settings, "Allowance/push") == "mixed" and state(settings, "Allowance/email") == "off"
    settings.page.click(control(settings, "Allowance/push"))
    wait_until(lambda: person.settings.types[10]["pushEnabled"] and person.settings.types[12]["pushEnabled"], "both are on")
    wait_until(lambda: state(settings, "Allowance/push") == "on", "it says so")
    settings.page.click(control(settings, "Allowance/push"))
    wait_until(lambda: not person.settings.types[10]["pushEnabled"] and not person.settings.types[12]["pushEnabled"], "both are off")
    wait_until(lambda: state(settings, "Allowance/push") == "off", "it says so")
    assert settings.page.axe() == []


def test_a_type_makes_its_category_mixed_and_takes_that_back(settings, stub, person):
    settings.page.click(control(settings, "Allowance"))
    # Before the server has answered.
    held = stub.hold("PUT .*/preferences")
    settings.page.click(control(settings, "Allowance Deposit/email"))
    wait_until(lambda: held.met == 1 and state(settings, "Allowance/email") == "mixed", "it is mixed")
    stub.end_faults()
    wait_until(lambda: emails(person) == [True, False], "one is on")
    assert state(settings, "Allowance/email") == "mixed"
    settings.page.click(control(settings, "Allowance Paused/email"))
    wait_until(lambda: emails(person) == [True, True] and state(settings, "Allowance/email") == "on", "both are on")
    settings.page.click(control(settings, "Allowance Paused/email"))
    settings.page.click(control(settings, "Allowance Deposit/email"))
    wait_until(lambda: emails(person) == [False, False] and state(settings, "Allowance/email") == "off", "both are off")


def test_a_refused_click_leaves_it_mixed(settings, stub, person):
    stub.fail("PUT .*/preferences", status=400)
    settings.page.click(control(settings, "Allowance/push"))
    settings.wait_for("root.querySelector('[role=alert]')")
    assert state(settings, "Allowance/push") == "mixed"


def test_a_server_of_an_earlier_release_says_nothing_of_mixed(open_bell, stub, person, monkeypatch):
    monkeypatch.setattr(person.settings, "mixed", lambda category: {})
    settings = open_settings(open_bell)
    assert state(settings, "Allowance/push") == "on"


def test_the_master_switch(settings, person):
    settings.page.click(control(settings, "enabled"))
    wait_until(lambda: not person.settings.master, "it is off")
    settings.wait_for("!root.querySelector('[data-key=sound]')")
    settings.page.click(control(settings, "enabled"))
    wait_until(lambda: person.settings.master, "it is on")


def test_sound_and_number(settings, person):
    settings.page.click(control(settings, "sound"))
    settings.page.click(control(settings, "badgeEnabled"))
    wait_until(lambda: not person.settings.sound and not person.settings.badge, "both are off")


def test_a_pause(settings, person):
    settings.page.click(control(settings, "pauseHour"))
    wait_until(lambda: person.settings.paused_until, "it is paused")
    settings.page.click(control(settings, "resume"))
    wait_until(lambda: not person.settings.paused_until, "it goes on")


def test_quiet_hours_on_a_bar_of_the_day(settings, person):
    settings.page.click(control(settings, "quietHours"))
    wait_until(lambda: person.settings.quiet == {"enabled": True, "startTime": "22:00:00", "endTime": "07:00:00"}, "they are on")
    assert person.settings.timezone == "Europe/Berlin"
    settings.wait_for("shown('day')")
    # Its ends are sliders: by keyboard a quarter of an hour at a time.
    settings.get("root.querySelector('[data-key=quiet-0]').focus()")
    settings.page.press("ArrowLeft", "ArrowLeft")
    wait_until(lambda: person.settings.quiet["startTime"] == "21:30:00", "they begin earlier")
    settings.get("root.querySelector('[data-key=quiet-1]').focus()")
    settings.page.press("ArrowRight")
    wait_until(lambda: person.settings.quiet["endTime"] == "07:15:00", "they end later")
    # A screen reader says the time, not the number of minutes; Chromium's tree of the protocol has the number alone.
    settings.page.accessibility().find("slider", "From")
    assert settings.get("root.querySelector('[data-key=quiet-0]').ariaValueText") == "9:30 PM"


def test_what_cannot_be_saved_is_taken_back(settings, stub, person):
    stub.fail("PUT .*/preferences", status=400)
    settings.page.click(control(settings, "sound"))
    settings.wait_for("root.querySelector('[role=alert]')?.textContent.includes('taken back')")
    assert settings.get("root.querySelector('[data-key=sound]').checked") is True


def test_settings_that_cannot_be_loaded(open_bell, stub, person):
    stub.fail("GET .*/preferences", status=500)
    bell = open_bell('preferences layout="inline"')
    bell.page.click(bell.part("settings-button"))
    bell.wait_for("shown('settings')?.textContent.includes('could not be loaded')")
    stub.end_faults()
    bell.page.click(control(bell, "retry"))
    bell.wait_for("root.querySelector('[data-key=sound]')")


def test_mute_what_a_notification_is_about(open_bell, stub, person):
    person.add("Message", related=("Conversation", "c-1"))
    bell = open_bell('preferences layout="inline"')
    bell.choose("Message", "Mute this")
    wait_until(lambda: person.settings.muted == {("conversation", "c-1"): None}, "it is muted")
    bell.page.click(bell.part("settings-button"))
    bell.wait_for("root.querySelector('[data-key^=muted]')")
    bell.page.click(control(bell, "muted/conversation c-1"))
    wait_until(lambda: person.settings.muted == {}, "it is not")


def test_another_tab_has_what_was_chosen(open_bell, stub, person):
    one = open_settings(open_bell)
    one.page.click(control(one, "sound"))
    wait_until(lambda: not person.settings.sound, "it is off")
    other = open_settings(open_bell)
    assert other.get("root.querySelector('[data-key=sound]').checked") is False


def test_push_is_asked_for_by_the_page(open_bell, stub, person):
    setup = "document.querySelector('belfry-bell').pushProvider = async () => 'a token of the vendor';"
    bell = open_bell('push preferences layout="inline"', setup=setup)
    assert bell.get("bell.enablePush()") is True
    assert [(device["token"], device["platform"]) for device in person.devices] == [("a token of the vendor", 3)]
