"""What each service's pods must be, by the facts of compose.yaml and the settings. Objections are sentences."""

import re

from installation import PREFIX, container_ports, service_container

# What compose.yaml says otherwise than Kubernetes, and why.
ONLY_COMPOSE = {
    "BELFRY_INAPP_NODE_HEADER": "each node has an address instead",
    "BELFRY_GATEWAY_STOP_DELAY": "preStop waits instead",
    "BELFRY_INAPP_STOP_DELAY": "preStop waits instead",
}
# Where files lie that settings and URLs name.
FILES = "/etc/belfry/files"


def objections(installation, facts):
    if installation.workloads.keys() != facts.services.keys():
        yield f"the services are {sorted(installation.workloads)}, of compose.yaml {sorted(facts.services)}"
        return
    for name, service in facts.services.items():
        workload = installation.workloads[name]
        container = service_container(workload)
        for text in (
            *of_command(container, service),
            *of_settings(installation.environment(container, f"{PREFIX}{name}-0"), service, facts.documented),
            *of_files(installation.environment(container), container, service),
            *of_ports(installation, workload, service),
            *of_probes(workload, service),
            *of_end(installation, workload, service),
        ):
            yield f"{name}: {text}"
    yield from of_migration(installation, facts)
    for name, pod in installation.pods.items():
        for text in (*of_pod(pod["spec"], facts), *of_containers(pod["spec"])):
            yield f"{name}: {text}"


def of_command(container, service):
    if container["command"] != service.command:
        yield f"its command is {container['command']}, of compose.yaml {service.command}"


def of_settings(environment, service, documented):
    ours = {name: value for name, value in environment.items() if name.startswith("BELFRY_")}
    # Who reads these alone lets the others of their sections pass.
    shared = {"BELFRY_PUSH_PROVIDERS", "BELFRY_EMAIL_RETURN_PATH_KEYS"}
    sections = {name.split("_")[1] for name in service.settings if name not in shared}
    for name, value in ours.items():
        setting = service.settings.get(name)
        if setting is None:
            if name.split("_")[1] in sections:
                yield f"{name} is not a setting of this service, and stops its start"
            elif name not in documented:
                yield f"{name} is no setting of anything"
            continue
        if setting.is_secret and not value.startswith("secret "):
            yield f"{name} is a secret, and stands in the manifests"
        elif not value.startswith("secret ") and not is_value(value, setting.kind):
            yield f"{name}={value} is not {setting.kind}"
    for setting in service.settings.values():
        if setting.is_required and setting.variable not in ours:
            yield f"{setting.variable} is required"
    for name, value in service.environment.items():
        # Files lie where each mounts them.
        if name not in service.settings or name in ONLY_COMPOSE or name.endswith("_FILE") or "$" in value:
            continue
        if ours.get(name) != value:
            yield f"{name} is {ours.get(name)}, of compose.yaml {value}"
    if "BELFRY_AUTH_SECRET" in service.settings and not {"BELFRY_AUTH_SECRET", "BELFRY_AUTH_JWKS_FILE"} & ours.keys():
        yield "it can verify no token"


def of_files(environment, container, service):
    folders = [one["mountPath"] for one in container.get("volumeMounts", [])]
    for name in sorted(service.settings.keys() & environment.keys()):
        path = environment[name]
        if name.endswith("_FILE") and not any(path.startswith(f"{folder}/") for folder in folders):
            yield f"{name}={path} is in nothing that is mounted"


def is_value(text, kind):
    if bounds := re.fullmatch(r"integer (\d+)…(\d+)", kind):
        return text.isdigit() and int(bounds[1]) <= int(text) <= int(bounds[2])
    if kind == "true or false":
        return text in ("true", "false")
    if kind.startswith("duration "):
        return re.fullmatch(r"\d+(ms|s|min|h|d)", text) is not None
    if kind.startswith("VAPID public key"):
        return re.fullmatch(r"[\w-]{87}", text) is not None
    if "," in kind and re.fullmatch(r"[\w, ]+", kind) and not kind.startswith("list"):
        return text in kind.split(", ")
    return text != ""


def of_ports(installation, workload, service):
    ports = container_ports(workload)
    environment = installation.environment(service_container(workload))
    for name, variable in (
        ("health", "BELFRY_HEALTH_PORT"),
        ("api", "BELFRY_GATEWAY_PORT"),
        ("hub", "BELFRY_INAPP_PORT"),
    ):
        setting = service.settings.get(variable)
        if setting is None:
            continue
        port = environment.get(variable, setting.default)
        if str(ports.get(name)) != port:
            yield f"its port {name} is {ports.get(name)}, by {variable} {port}"
        if name != "health" and port != service.environment.get(variable, setting.default):
            yield f"its port {name} is {port}, of compose.yaml {service.environment.get(variable, setting.default)}"
        host = variable.removesuffix("PORT") + "HOST"
        if environment.get(host) != "0.0.0.0":
            yield f"nobody reaches its port {name}: {host} is {environment.get(host)}"
    if ports.get("health") != service.health_port:
        yield f"its health is at port {ports.get('health')}, of compose.yaml {service.health_port}"


def of_probes(workload, service):
    container, paths = service_container(workload), {}
    for kind in ("startupProbe", "readinessProbe", "livenessProbe"):
        check = container.get(kind, {}).get("httpGet")
        if check is None or check.get("port") != "health":
            yield f"its {kind} does not ask its health port"
        else:
            paths[kind] = check["path"]
    if "api" in container_ports(workload) and paths.get("readinessProbe") != "/health/live":
        yield "while the database or the broker is away it cannot do the half that it could"
    if service.health_path not in (paths.get("startupProbe"), paths.get("readinessProbe")):
        yield f"nothing asks {service.health_path}, as compose.yaml does"
    # It must live on without database and broker.
    if paths.get("livenessProbe") != "/health/live":
        yield f"it is restarted by {paths.get('livenessProbe')}"


def of_end(installation, workload, service):
    container = service_container(workload)
    environment = installation.environment(container)
    default = service.settings["BELFRY_SERVICE_SHUTDOWN_DEADLINE"].default
    deadline = int(re.fullmatch(r"(\d+)s", environment.get("BELFRY_SERVICE_SHUTDOWN_DEADLINE", default))[1])
    sleep = container.get("lifecycle", {}).get("preStop", {}).get("sleep", {}).get("seconds", 0)
    grace = workload["spec"]["template"]["spec"].get("terminationGracePeriodSeconds", 30)
    # 5 s to end when the deadline has passed.
    if grace < max(deadline + 5, service.grace) + sleep:
        yield f"it is killed after {grace} s; it may need {deadline} + 5 + {sleep} s, and compose.yaml gives it {service.grace} s"
    # Who is behind a proxy is asked until the proxy knows that it ends.
    delays = [environment.get(name, "0s") for name in ("BELFRY_GATEWAY_STOP_DELAY", "BELFRY_INAPP_STOP_DELAY")]
    pause = sleep + max(int(re.fullmatch(r"(\d+)s", delay)[1]) for delay in delays)
    if {"api", "hub"} & container_ports(workload).keys() and pause < 5:
        yield "it ends before proxies know it"


def of_migration(installation, facts):
    job = installation.named("Job", "belfry-migrate")
    if job:
        found = {"belfry-migrate": job["spec"]["template"]["spec"]["containers"]}
        for name, workload in installation.workloads.items():
            if workload["spec"]["template"]["spec"].get("initContainers"):
                yield f"{name}: it migrates, and so does a Job"
    else:
        found = {
            name: workload["spec"]["template"]["spec"].get("initContainers", [])
            for name, workload in installation.workloads.items()
        }
    for name, containers in found.items():
        commands = [one["command"] for one in containers]
        if commands != [facts.migrate]:
            yield f"{name}: it migrates by {commands}, compose.yaml by {facts.migrate}"
        for container in containers:
            if not installation.environment(container).get("BELFRY_DATABASE_URL", "").startswith("secret "):
                yield f"{name}: it migrates no database"


def of_pod(pod, facts):
    # Variables such as BELFRY_GATEWAY_PORT=tcp://10.0.0.1:8080 would stop every start.
    if pod.get("enableServiceLinks") is not False:
        yield "it gets variables of Services, which it takes for settings"
    if pod.get("automountServiceAccountToken") is not False:
        yield "it has a token for Kubernetes"
    context = pod.get("securityContext", {})
    if context.get("runAsNonRoot") is not True or context.get("runAsUser") != facts.uid:
        yield f"it runs as {context.get('runAsUser')}, in the image as {facts.uid}"
    if context.get("seccompProfile") != {"type": "RuntimeDefault"}:
        yield "it has no seccomp profile"
    for volume in pod.get("volumes", []):
        # Files of secrets are root's; the pod's group may read them.
        if "secret" in volume and not (context.get("fsGroup") and volume["secret"].get("defaultMode", 0o644) & 0o040):
            yield f"it cannot read {volume['name']}"
        if "secret" in volume and volume["secret"].get("defaultMode", 0o644) & 0o007:
            yield f"everybody can read {volume['name']}"


def of_containers(pod):
    for container in pod.get("initContainers", []) + pod["containers"]:
        context = container.get("securityContext", {})
        if context.get("readOnlyRootFilesystem") is not True:
            yield f"{container['name']} may write into its image"
        if context.get("allowPrivilegeEscalation") is not False or context.get("capabilities") != {"drop": ["ALL"]}:
            yield f"{container['name']} may gain privileges"
        resources = container.get("resources", {})
        for kind in ("requests", "limits"):
            if resources.get(kind, {}).keys() != {"cpu", "memory"}:
                yield f"{container['name']} has no {kind} of processor and memory"
        if not re.fullmatch(r"[^:]+:[^:]+", container["image"]) or container["image"].endswith(":latest"):
            yield f"{container['name']} is of no release: {container['image']}"
        mounts = [one["name"] for one in container.get("volumeMounts", [])]
        if missing := set(mounts) - {one["name"] for one in pod.get("volumes", [])}:
            yield f"{container['name']} mounts {sorted(missing)}, which there is not"
        # Who connects may need an authority's certificate, and so does who migrates.
        if FILES not in [one["mountPath"] for one in container.get("volumeMounts", [])]:
            yield f"{container['name']} has no {FILES}"
