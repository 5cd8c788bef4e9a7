"""From nothing to healthy, and what the engine then says of the containers."""

import json
import re

SERVERS = {"postgres", "rabbitmq", "proxy"}
SERVICES = {"gateway", "router", "push", "inapp", "email", "simulator"}
# They hand files to their owners, and see no network.
OWNERS = {"secrets", "simulated"}
# Who is handed secrets, and who of them may mint tokens.
HANDED = {"postgres", "rabbitmq", "migrate", "gateway", "router", "inapp", "push", "email", "demo"}
VERIFIERS = {"gateway", "inapp", "demo"}
# Each connection is an open file.
CONNECTED = {"rabbitmq", "proxy", "gateway", "router", "push", "inapp", "email"}
ONE_SHOTS = {"secrets", "simulated", "migrate", "demo"}

# A first start that takes long: only the stand-in for PostgreSQL's image knows it. Compose reads this beside compose.yaml.
SLOW_DATABASE = {"services": {"postgres": {"environment": {"STANDIN_INIT_SECONDS": "8"}}}}


def test_up_waits_until_all_are_healthy_in_a_fresh_clone_however_slow_the_database(stack, stopwatch):
    assert not (stack.folder / ".env").exists()
    (stack.folder / "compose.override.yaml").write_text(json.dumps(SLOW_DATABASE))
    stack.start()
    stopwatch("ready from nothing, 8 s of which the database took for its first start")
    found = stack.containers()
    assert {each.service for each in found} == SERVERS | SERVICES | ONE_SHOTS
    assert [each for each in found if each.service not in ONE_SHOTS and not each.is_healthy] == []
    assert [each for each in found if each.service in ONE_SHOTS and each.state["ExitCode"] != 0] == []


def test_no_secret_is_in_a_containers_configuration(stack):
    secrets = secret_values(stack)
    # Of the database and of the broker, each plain and in a URL, and the one that signs tokens.
    assert len(secrets) >= 5
    for container in stack.containers():
        assert [secret for secret in secrets if secret in container.text] == [], container.name


def test_each_service_sees_its_own_secrets_alone(stack):
    (tokens,) = secret_values(stack, "secrets", "auth-secret")
    for container in stack.containers():
        mounts = container.description["Mounts"]
        volumes = {mount.get("Name", "").removeprefix(f"{stack.project}_") for mount in mounts}
        seen = {volume for volume in volumes if volume.startswith("secrets")}
        if container.service in OWNERS:
            assert "secrets" in seen, container.name
        else:
            assert seen == ({f"secrets-{container.service}"} if container.service in HANDED else set()), container.name
    for service in HANDED:
        assert (tokens in secret_values(stack, f"secrets-{service}")) == (service in VERIFIERS), service
    assert len(secret_values(stack, "secrets-postgres") | secret_values(stack, "secrets-rabbitmq")) == 2


def secret_values(stack, volume=None, files="*"):
    """What is in the volume, or in all, and looks random: long, with letters and digits, and no variable's name."""
    names = [volume] if volume else ["secrets", *(f"secrets-{service}" for service in HANDED)]
    volumes = [f"--volume={stack.project}_{name}:/volumes/{name}:ro" for name in names]
    command = ["--entrypoint", "sh", stack.server_image, "-c", f"for file in /volumes/*/{files}; do cat $file; echo; done"]
    text = stack.docker("run", "--rm", "--user=0", "--network=none", *volumes, *command)
    text = re.sub(r"(?m)^[A-Z_]+=", "", text)
    words = re.findall(r"[A-Za-z0-9+/]{16,}", text)
    # In URLs they are written in percent.
    encoded = re.findall(r"(?:%[0-9a-f]{2}){16,}", text)
    return {word for word in words if re.search("[0-9]", word) and re.search("[A-Za-z]", word)} | set(encoded)


def test_ports_are_published_on_loopback_alone(stack):
    published = {each.service: each.published for each in stack.containers() if each.published}
    assert published.keys() == {"proxy", "simulator"}
    assert {address for ports in published.values() for address, _ in ports} == {"127.0.0.1"}
    ports = {f"http://{address}:{port}" for address, port in published["proxy"]}
    assert ports == {stack.api, stack.hub}


def test_containers_may_do_no_more_than_they_must(stack):
    for container in stack.containers():
        host = container.host
        assert not host["Privileged"], container.name
        assert any(option.startswith("no-new-privileges") for option in host["SecurityOpt"] or []), container.name
        if container.is_ours:
            # What .env says is written into these by the engine, which it does not where nothing may be written.
            assert host["ReadonlyRootfs"] or container.service in OWNERS, container.name
            assert host["CapDrop"] == ["ALL"], container.name
            if container.service not in OWNERS:
                assert not host["CapAdd"], container.name
                assert container.configuration["User"].split(":")[0] not in ("", "0", "root"), container.name
        if container.service in OWNERS:
            assert host["NetworkMode"] == "none", container.name
        if container.is_running:
            users = stack.docker("top", container.id, "-eo", "pid,uid,comm").splitlines()[1:]
            assert [user for user in users if user.split()[1] == "0"] == [], container.name


def test_containers_are_limited(stack):
    for container in stack.containers():
        host = container.host
        assert host["Memory"] > 0, container.name
        assert host["PidsLimit"] and host["PidsLimit"] > 0, container.name
        if container.service in CONNECTED:
            assert any(limit["Name"] == "nofile" for limit in host["Ulimits"] or []), container.name
        assert {"max-size", "max-file"} <= (host["LogConfig"]["Config"] or {}).keys(), container.name


def test_the_database_is_out_of_the_proxys_reach_and_has_no_way_out(stack):
    (address,) = stack.container("postgres").addresses.values()
    (gateway,) = (address for network, address in stack.container("gateway").addresses.items() if network == "edge")
    assert connects(stack, "proxy", gateway, 8080)
    assert not connects(stack, "proxy", address, 5432)
    assert has_way_out(stack, "proxy")
    assert not has_way_out(stack, "postgres")


def connects(stack, service, address, port):
    script = f"timeout 1 bash -c '</dev/tcp/{address}/{port}' 2>/dev/null && echo connected || true"
    return stack.exec(service, "bash", "-c", script).strip() == "connected"


def has_way_out(stack, service):
    """Whether one of its networks is more than internal."""
    networks = stack.container(service).description["NetworkSettings"]["Networks"]
    return any(not network["Internal"] for network in json.loads(stack.docker("network", "inspect", *networks)))
