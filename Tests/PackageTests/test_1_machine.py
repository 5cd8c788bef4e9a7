"""The life of the packages on a machine: installed, used, upgraded, removed."""

import re
import subprocess
import time
import urllib.request

import pytest

from machine import PACKAGES

SERVICES = ["gateway", "router", "push", "inapp", "email"]
SETTINGS = "BELFRY_DATABASE_URL=postgresql://belfry@127.0.0.1/belfry\n"


def package(program, version):
    return f"/packages/{next(PACKAGES.glob(f'{program}_{version}_*.deb')).name}"


@pytest.mark.parametrize("unit", ["/usr/local/lib/systemd/system/belfry-router@.service", "/usr/lib/systemd/system/belfry.target"])
def test_it_is_refused_where_the_units_of_make_install_lie(machine, version, unit):
    machine.write(unit, "[Unit]\n")
    output = machine.install(package("belfry", version), status=100)
    assert f"{unit} is of a `make install`. Run `sudo make uninstall`" in output
    assert machine.run(f"rm {unit}; command -v belfry || echo none") == "none\n"


def test_installing_it_enables_and_starts_nothing(machine, version):
    with machine.asked_of_systemd() as calls:
        machine.install(package("belfry", version))
    assert calls == ["daemon-reload"]
    assert machine.run("find /etc -name '*belfry*' ! -path '/etc/belfry'") == ""


def test_its_files_are_as_they_were_packed_and_its_account_cannot_log_in(machine):
    assert machine.run("dpkg --verify belfry") == ""
    assert machine.run("stat -c '%a %U:%G' /etc/belfry") == "711 root:root\n"
    assert re.fullmatch(r"belfry:x:\d+:\d+:.*:/usr/sbin/nologin\n", machine.run("getent passwd belfry"))
    assert machine.run("find /usr/lib/belfry /usr/share/belfry ! -user root -o ! -type l -perm /022") == ""


def test_every_program_runs_with_debians_libraries(machine):
    assert "not found" not in machine.run("ldd /usr/lib/belfry/belfry /usr/lib/belfry/*.so")
    for program in ["belfry", *(f"belfry-{service}" for service in SERVICES)]:
        assert program in machine.run(f"{program} --help")


def test_systemd_takes_the_units(machine):
    units = ["belfry.target", "belfry-migrate.service", *(f"belfry-{service}@1.service" for service in SERVICES)]
    assert machine.run(f"systemd-analyze verify {' '.join(units)}") == ""


def test_an_upgrade_leaves_settings_and_what_runs_alone(machine, version):
    machine.write("/etc/belfry/belfry.env", SETTINGS, 0o600)
    older = f"dpkg-deb -R {package('belfry', version)} /tmp/older && sed -i 's/^Version: .*/Version: 0.0.1/' /tmp/older/DEBIAN/control"
    machine.run(f"{older} && dpkg-deb -Znone -b /tmp/older /tmp/older.deb && dpkg --install /tmp/older.deb")
    with machine.asked_of_systemd() as calls:
        machine.install(package("belfry", version))
    assert calls == ["daemon-reload"]
    assert machine.run("dpkg-query -W -f '${Version}' belfry") == version
    assert machine.read("/etc/belfry/belfry.env") == SETTINGS


def test_installing_belfry_dev_asks_for_nothing_of_belfrys_units(machine, version):
    with machine.asked_of_systemd() as calls:
        machine.install(package("belfry-dev", version))
    assert [call for call in calls if "belfry" in call] == []
    assert machine.run("dpkg --verify belfry-dev") == ""


@pytest.mark.parametrize(
    "program, command, service", [("belfry", "belfry-send", "belfry-gateway"), ("belfry-dev", "belfry-dev-run", "belfry-simulator")]
)
def test_each_manual_page_is_shown_without_a_warning(machine, program, command, service):
    pages = re.findall(r"\S+/man/man\S+", machine.run(f"dpkg --listfiles {program} | grep /man/man./"))
    assert {f"{program}.1.gz", f"{command}.1.gz", f"{service}.8.gz"} <= {page.split("/")[-1] for page in pages}
    for page in pages:
        assert machine.run(f"MANROFFSEQ= MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 -Z {page} >/dev/null") == "", page
    assert f"{command}(1)" in machine.run(f"man {program}")


@pytest.mark.parametrize("program, begun, command", [("belfry", "sche", "schedules"), ("belfry-dev", "dem", "demo")])
def test_the_shells_complete_its_commands(machine, program, begun, command):
    line = f"{program} {begun}"
    bash = f"""
        . /usr/share/bash-completion/bash_completion
        _completion_loader {program} || test $? = 124
        COMP_WORDS=({line}) COMP_CWORD=1 COMP_LINE="{line}" COMP_POINT={len(line)}
        $(complete -p {program} | sed "s/.* -F \\([^ ]*\\) .*/\\1/") {line} {program}
        echo "${{COMPREPLY[@]}}"
    """
    machine.write("/tmp/complete.bash", bash)
    assert command in machine.run("bash /tmp/complete.bash").split()
    machine.write("/tmp/complete.zsh", f"autoload -Uz compinit && compinit -u -D && autoload +X _{program} && echo $_comps[{program}]")
    assert machine.run("zsh -f /tmp/complete.zsh") == f"_{program}\n"
    assert command in machine.run(f"fish --command 'complete --do-complete \"{line}\"'").split()


def test_belfry_dev_shows_its_page_to_an_ordinary_user_within_a_minute(machine):
    machine.run("useradd --create-home ann")
    begun = time.monotonic()
    process = machine.start("timeout --kill-after=10 60 belfry-dev run", user="ann", stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        said = ""
        while not (address := re.search(r"Open (http://\S+)\n", said)) and (line := process.stdout.readline()):
            said += line
        assert address, said
        with urllib.request.urlopen(address[1], timeout=5) as answer:
            assert "Belfry sends your app" in answer.read().decode()
        print(f"\n  {machine.release}: {time.monotonic() - begun:.1f} s", end="")
    finally:
        process.kill()
        process.wait()


def test_purged_it_leaves_settings_and_account(machine):
    with machine.asked_of_systemd() as calls:
        machine.run("apt-get purge --yes belfry")
    assert calls == [
        f"stop belfry.target belfry-migrate.service {' '.join(f'belfry-{service}@*.service' for service in SERVICES)}",
        f"--quiet disable belfry.target {' '.join(f'belfry-{service}@' for service in SERVICES)}",
        "daemon-reload",
    ]
    assert machine.run("find /etc /usr -name '*belfry*'") == "/etc/belfry\n/etc/belfry/belfry.env\n"
    assert machine.read("/etc/belfry/belfry.env") == SETTINGS
    machine.run("getent passwd belfry")
