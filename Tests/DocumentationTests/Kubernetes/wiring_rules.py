"""What objects say of each other: names, ports, addresses, queues, networks. Objections are sentences."""

import re

from installation import PREFIX, SCALERS, container_ports, service_container
from kustomization import ROOT, config_map_references

KUBERNETES = ROOT / "docs/kubernetes.md"
# What is in the secrets that are mounted.
KEY_FILES = {
    "belfry-firebase": "service-account.json",
    "belfry-apns": "apns.p8",
    "belfry-vapid": "vapid.pem",
    "belfry-dkim": "dkim.pem",
}
# Each tells of upgrades, copy by copy.
UPGRADES = [ROOT / "docs/containers.md", KUBERNETES, ROOT / "docs/systemd.md"]


def objections(installation, facts, queues):
    """`queues`: those of each service that has any."""
    yield from of_steps(installation)
    yield from of_config_maps(installation)
    yield from of_secrets(installation)
    yield from of_services(installation)
    yield from of_disruption(installation)
    yield from of_entrances(installation)
    yield from of_nodes(installation)
    yield from of_scaling(installation, queues)
    yield from of_database(installation, facts)
    yield from of_networks(installation, facts)
    yield from of_providers(installation)
    yield from of_receipts(installation)
    yield from of_unsubscribing(installation)
    yield from of_return_paths(installation)


def of_providers(installation):
    """Where FCM, push services, APNs and mail servers listen."""
    policy = installation.named("NetworkPolicy", f"{PREFIX}providers")
    ports = {one["port"] for rule in policy["spec"]["egress"] for one in rule["ports"]} if policy else set()
    for port in sorted({443, 465, 587, 2197} - ports):
        yield f"nobody reaches providers at port {port}"


def of_receipts(installation):
    """What one makes the other reads."""
    sources = [
        installation.environment(service_container(installation.workloads[name])).get("BELFRY_RECEIPTS_KEYS")
        for name in ("gateway", "push")
        if name in installation.workloads
    ]
    if len(set(sources)) > 1:
        yield f"the receipts of gateway and push are of {sources}"


def of_unsubscribing(installation):
    """What one signs the other recognises."""
    sources = [
        installation.environment(service_container(installation.workloads[name])).get("BELFRY_UNSUBSCRIBE_KEYS")
        for name in ("gateway", "email")
        if name in installation.workloads
    ]
    if len(set(sources)) > 1:
        yield f"the links to unsubscribe of gateway and email are of {sources}"


def of_return_paths(installation):
    """What one signs the other recognises."""
    sources = [
        installation.environment(service_container(installation.workloads[name])).get("BELFRY_EMAIL_RETURN_PATH_KEYS")
        for name in ("gateway", "email")
        if name in installation.workloads
    ]
    if len(set(sources)) > 1:
        yield f"the return paths of gateway and email are of {sources}"


def of_steps(installation):
    """An upgrade applies what has no component, then one component after the other (docs/kubernetes.md)."""
    components = {
        one["metadata"]["name"]: one["metadata"]["labels"]["app.kubernetes.io/component"]
        for one in installation.objects
        if "app.kubernetes.io/component" in one["metadata"].get("labels", {})
    }
    wanted = {name: name.removeprefix(PREFIX) for name in installation.pods}
    if components != wanted:
        yield f"the components are {components}"
    order = None
    for path in UPGRADES:
        loops = [loop.split() for loop in re.findall(r"for (?:service|name) in ([a-z ]+); do", path.read_text())]
        if not loops:
            yield f"{path.name} upgrades nothing"
        for loop in loops:
            order = order or loop
            if sorted(loop) != sorted(installation.workloads) or loop != order:
                yield f"{path.name} upgrades {loop}"


def of_config_maps(installation):
    for name, pod in installation.pods.items():
        for reference in config_map_references(pod):
            found = installation.named("ConfigMap", reference["name"])
            if reference.get("optional"):
                continue
            if found is None or "key" in reference and reference["key"] not in found["data"]:
                yield f"{name}: there is no ConfigMap {reference['name']} {reference.get('key', '')}"
        account = pod["spec"].get("serviceAccountName")
        if account and not installation.named("ServiceAccount", account):
            yield f"{name}: there is no ServiceAccount {account}"


def of_secrets(installation):
    """None is here, and docs/kubernetes.md says how each is made."""
    if installation.all("Secret"):
        yield "a Secret is in the repository"
    text = KUBERNETES.read_text()
    # Up to the next command or the end of the block.
    made = dict(re.findall(r"(?s)create secret generic ([\w-]+)(.*?)(?=\nkubectl|```)", text))
    for name, key in sorted(set(secret_references(installation))):
        if f"={key}" not in made.get(name, "") and f"{key}=" not in made.get(name, ""):
            yield f"docs/kubernetes.md does not say how the Secret {name} with {key} is made"
    for ingress in installation.all("Ingress"):
        for name in {entry["secretName"] for entry in ingress["spec"]["tls"]}:
            if f"create secret tls {name} " not in text:
                yield f"docs/kubernetes.md does not say how the certificate {name} is made"


def secret_references(installation):
    for pod in installation.pods.values():
        for container in pod["spec"].get("initContainers", []) + pod["spec"]["containers"]:
            for variable in container.get("env", []):
                if reference := variable.get("valueFrom", {}).get("secretKeyRef"):
                    yield reference["name"], reference["key"]
        for volume in pod["spec"].get("volumes", []):
            if "secret" in volume:
                name = volume["secret"]["secretName"]
                yield name, KEY_FILES.get(name, "which file?")
    for one in installation.all("TriggerAuthentication"):
        for reference in one["spec"]["secretTargetRef"]:
            yield reference["name"], reference["key"]


def of_services(installation):
    for service in installation.all("Service"):
        name = service["metadata"]["name"]
        target = behind(installation, service)
        if target is None:
            yield f"Service {name}: it has no pods"
            continue
        for port in service["spec"]["ports"]:
            number = container_ports(target).get(port["targetPort"])
            if number != port["port"]:
                yield f"Service {name}: its port {port['port']} is the pods' {number}"


def behind(installation, service):
    """The workload of a Service; of a node's only if there may be such a node."""
    selector = dict(service["spec"]["selector"])
    node = selector.pop("statefulset.kubernetes.io/pod-name", None)
    if node is not None:
        name, _, number = node.rpartition("-")
        one = installation.named("StatefulSet", name)
        return one if one and int(number) < installation.copies(name.removeprefix(PREFIX)) else None
    found = installation.selected({"matchLabels": selector})
    return installation.workloads[found.pop()] if len(found) == 1 else None


def of_disruption(installation):
    for name, workload in installation.workloads.items():
        if installation.selected(workload["spec"]["selector"]) != {name}:
            yield f"{name}: its selector is not its own"
        budgets = [
            one
            for one in installation.all("PodDisruptionBudget")
            if installation.selected(one["spec"]["selector"]) == {name}
        ]
        if [one["spec"].get("maxUnavailable") for one in budgets] != [1]:
            yield f"{name}: it has no budget of one copy"
        elif budgets[0]["spec"].get("unhealthyPodEvictionPolicy") != "AlwaysAllow":
            yield f"{name}: while the broker is away its nodes cannot be drained"


def entrances(installation):
    """Each host with the Service and the port to which it leads, and whether it is among those with TLS."""
    for ingress in installation.all("Ingress"):
        secured = {host for entry in ingress["spec"]["tls"] for host in entry["hosts"]}
        for rule in ingress["spec"]["rules"]:
            for path in rule["http"]["paths"]:
                service = path["backend"]["service"]
                yield rule["host"], service["name"], service["port"]["name"], rule["host"] in secured
    for route in installation.all("HTTPRoute"):
        for host in route["spec"]["hostnames"]:
            for backend in route["spec"]["rules"][0]["backendRefs"]:
                yield host, backend["name"], backend["port"], True


def of_entrances(installation):
    for host, name, port, is_secured in entrances(installation):
        service = installation.named("Service", name)
        if service is None or port not in [one[key] for one in service["spec"]["ports"] for key in ("name", "port")]:
            yield f"{host} leads to {name} {port}, which there is not"
        if not is_secured:
            yield f"{host} has no certificate"
    if not any(name == "belfry-gateway" for _, name, _, _ in entrances(installation)):
        yield "nothing leads to the gateway"


def of_nodes(installation):
    """Each node that there may be has an address of its own, which it gives to its clients."""
    hub = installation.workloads["inapp"]
    hosts = {host: name for host, name, _, _ in entrances(installation)}
    domain = None
    for number in range(installation.copies("inapp")):
        node = f"{PREFIX}inapp-{number}"
        environment = installation.environment(service_container(hub), node)
        domain = environment.get("HUB_DOMAIN")
        host = environment.get("BELFRY_INAPP_PUBLIC_URL", "").removeprefix("https://")
        service = installation.named("Service", hosts.get(host))
        if service is None or service["spec"]["selector"] != {"statefulset.kubernetes.io/pod-name": node}:
            yield f"{node} sends its clients to {host or 'no address'}, which is not its own"
        # A long poll must reach its node, ready or not.
        elif service["spec"].get("publishNotReadyAddresses") is not True:
            yield f"{node}: its clients lose it when it is not ready"
    if hub["kind"] != "StatefulSet":
        yield "the hub's nodes have no names of their own"
    if hosts.get(domain) != "belfry-inapp":
        yield f"{domain} does not lead to the hub"


def of_scaling(installation, queues):
    for one in installation.all(*SCALERS):
        name, target = one["metadata"]["name"], one["spec"]["scaleTargetRef"]
        least, most = (one["spec"][key] for key in SCALERS[one["kind"]])
        workload = installation.named(target.get("kind", "Deployment"), target["name"])
        if workload is None:
            yield f"{name}: there is no {target}"
            continue
        service = target["name"].removeprefix(PREFIX)
        if least > most:
            yield f"{name}: at least {least} and at most {most} copies"
        # Each apply would set it back.
        if workload["spec"].get("replicas"):
            yield f"{name}: the number of copies is both given and scaled"
        if service in queues and (asked := list(asked_queues(one))) != queues[service]:
            yield f"{name}: it looks at {asked}, and its queues are {queues[service]}"
    for service in installation.workloads:
        if len(installation.scaler(service)) != 1:
            yield f"{service}: it has {len(installation.scaler(service))} autoscalers"


def asked_queues(one):
    for metric in one["spec"].get("metrics", []):
        if metric["type"] == "External":
            yield metric["external"]["metric"]["selector"]["matchLabels"]["queue"]
    for trigger in one["spec"].get("triggers", []):
        yield trigger["metadata"]["queueName"]


def of_database(installation, facts):
    """All copies, and one more of each in a rollout, get their connections from the database as we ship it."""
    connections = 0
    for name, workload in installation.workloads.items():
        environment = installation.environment(service_container(workload))
        default = facts.services[name].settings["BELFRY_DATABASE_CONNECTIONS"].default
        each = int(environment.get("BELFRY_DATABASE_CONNECTIONS", default))
        connections += each * (installation.copies(name) + 1)
    # Some for operators and for migrations.
    if connections > facts.database_connections - 20:
        yield f"the copies may ask for {connections} connections of the database's {facts.database_connections}"
    copies = sum(installation.copies(name) for name in installation.workloads)
    text = KUBERNETES.read_text()
    for words in (f"At most {copies} copies", f"{connections} connections"):
        if words not in text:
            yield f"docs/kubernetes.md does not say: {words}"


def of_networks(installation, facts):
    """The networks are those of compose.yaml, by policies of the same names; one may be of two policies, the second called -outside."""
    for one in installation.all("NetworkPolicy"):
        for rule in one["spec"].get("ingress", []):
            known = {port for service in installation.workloads.values() for port in container_ports(service)}
            if unknown := {port["port"] for port in rule["ports"]} - known:
                yield f"{one['metadata']['name']}: no pod has a port {sorted(map(str, unknown))}"
            if "from" not in rule:
                yield f"{one['metadata']['name']}: anybody may come in"
    for name, service in facts.services.items():
        own = {
            one["metadata"]["name"].removeprefix(PREFIX).removesuffix("-outside")
            for one in installation.all("NetworkPolicy")
            if name in installation.selected(one["spec"]["podSelector"])
        }
        if service.networks is not None and own != service.networks:
            yield f"{name}: its networks are {sorted(own)}, of compose.yaml {sorted(service.networks)}"
    for name in installation.pods:
        covered = [
            one
            for one in installation.all("NetworkPolicy")
            if {"Ingress", "Egress"} <= set(one["spec"]["policyTypes"])
            and name.removeprefix(PREFIX) in installation.selected(one["spec"]["podSelector"])
        ]
        if name.removeprefix(PREFIX) in installation.workloads and not covered:
            yield f"{name}: no policy says what it reaches, and who reaches it"
    for name, port in (("gateway", "api"), ("inapp", "hub")):
        open_ports = {
            entry["port"]
            for one in installation.all("NetworkPolicy")
            if name in installation.selected(one["spec"]["podSelector"])
            for rule in one["spec"].get("ingress", [])
            for entry in rule["ports"]
        }
        if port not in open_ports:
            yield f"{name}: nobody may come in by {port}"
