"""By which address somebody is counted."""

import pytest

from service.http.limits import counted_address


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("203.0.113.9", "203.0.113.9"),
        ("::ffff:203.0.113.9", "203.0.113.9"),
        ("::1", "::/64"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::", "2001:db8:1:3::/64"),
        ("", "nowhere"),
        ("unix", "nowhere"),
        ("fe80::1%eth0", "fe80::/64"),
    ],
)
def test_ipv6_clients_are_counted_per_64(address, counted):
    assert counted_address(address) == counted
