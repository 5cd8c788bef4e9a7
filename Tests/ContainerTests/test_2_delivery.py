"""A send through the ports that are published."""

from delivery import assert_a_send_arrives_on_all_channels


def test_a_send_is_seen_on_the_hub_as_a_push_and_as_a_mail(stack):
    assert_a_send_arrives_on_all_channels(stack)
