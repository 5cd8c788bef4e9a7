"""What is in the images, and what is not handed to who builds them."""

import re

# What lies in compose/ in earnest: secrets, keys, backups.
KEPT_OUT = [
    "compose/.env", "compose/settings.env", "compose/belfry.dump", "compose/secrets.tar", "compose/files/service-account.json",
    "compose/tls/server.key", "compose/kubernetes/example/service-account.json", "Services/.env", ".git/config",
]  # fmt: skip

PRODUCT = ["belfry", "belfry-gateway", "belfry-router", "belfry-push", "belfry-email", "belfry-inapp"]
WORKSHOP = ["belfry-dev", "belfry-simulator"]


def test_no_secret_is_in_what_the_image_is_built_from(stack):
    for name in KEPT_OUT:
        path = stack.repository / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("a secret")
    dockerfile = stack.scratch / "Dockerfile"
    dockerfile.write_text('FROM scratch\nCOPY . /\nCMD ["nothing"]\n')
    image = f"belfry-test-context:{stack.project}"
    # The old builder sends all that .dockerignore leaves; the new one what is copied, by the same file.
    stack.docker("build", "--quiet", "--file", dockerfile, "--tag", image, stack.repository, environment={"DOCKER_BUILDKIT": "0"})
    try:
        container = stack.docker("create", image).strip()
        names = stack.run("bash", "-c", f"docker export {container} | tar -t").split("\n")
        stack.docker("rm", container)
    finally:
        stack.docker("image", "rm", "--force", image)
        for name in KEPT_OUT:
            (stack.repository / name).unlink()
    assert {"Package.swift", "compose/bundle", "compose/secrets.sh"} <= set(names)
    assert [name for name in KEPT_OUT if name in names] == []
    folders = {match[1] for name in names if (match := re.match(r"compose/([^/]+)", name))}
    assert folders == {"bundle", "postgresql", "rabbitmq", "secrets.sh"}


def test_the_image_is_small_and_has_time_zones_and_certificates(stack):
    size = int(stack.docker("image", "inspect", "--format", "{{.Size}}", stack.image))
    print(f"\n  {size / 1e6:.0f} MB", end="")
    assert size <= 265e6

    def run(script):
        return stack.docker("run", "--rm", "--network=none", "--read-only", stack.image, "sh", "-c", script).strip()

    assert run("TZ=Asia/Tokyo date +%Z") == "JST"
    assert run("grep -c BEGIN /etc/ssl/certs/ca-certificates.crt").isdigit()
    assert run("id -u; id -g").split() == ["10001", "10001"]
    for program in PRODUCT:
        assert program in run(f"{program} --help"), program
    for program in WORKSHOP:
        assert run(f"command -v {program} || echo none") == "none", program


def test_the_image_for_development_has_the_simulator_and_the_demo_besides(stack):
    size = int(stack.docker("image", "inspect", "--format", "{{.Size}}", stack.dev_image))
    print(f"\n  {size / 1e6:.0f} MB", end="")
    for program in PRODUCT + WORKSHOP:
        said = stack.docker("run", "--rm", "--network=none", "--read-only", stack.dev_image, program, "--help")
        assert program in said, program
