"""Ways to break rendered manifests, each with words of the objection that it must meet. A function's name says what is broken."""

from kustomization import containers

ALL = []


def damage(objection):
    def remember(function):
        ALL.append((function, objection))
        return function

    return remember


def named(objects, kind, name):
    return next(one for one in objects if (one["kind"], one["metadata"]["name"]) == (kind, name))


def deployment(objects, service):
    return named(objects, "StatefulSet" if service == "inapp" else "Deployment", f"belfry-{service}")


def pod(objects, service):
    return deployment(objects, service)["spec"]["template"]["spec"]


def container(objects, service):
    return pod(objects, service)["containers"][0]


def settings(objects, name):
    return named(objects, "ConfigMap", f"{name}-generated")["data"]


def variable(objects, service, name):
    return next(one for one in container(objects, service)["env"] if one["name"] == name)


def volume(objects, service, name):
    return next(one for one in pod(objects, service)["volumes"] if one["name"] == name)


# Schemas.


@damage("'livenessprobe' was unexpected")
def a_member_is_misspelt(objects):
    container(objects, "router")["livenessprobe"] = container(objects, "router").pop("livenessProbe")


@damage("9000 is not of type 'string'")
def a_number_where_text_belongs(objects):
    settings(objects, "belfry")["BELFRY_HEALTH_PORT"] = 9000


@damage("Couldn't find schema for kind PodDisruptionBudget")
def an_old_version_of_an_API(objects):
    named(objects, "PodDisruptionBudget", "belfry-push")["apiVersion"] = "policy/v1beta1"


# Facts of compose.yaml.


@damage("the services are")
def a_service_is_missing(objects):
    objects.remove(deployment(objects, "email"))


@damage("push: its command is")
def another_command(objects):
    container(objects, "push")["command"] = ["belfry-email"]


@damage("inapp: its port hub is 8082, of compose.yaml 8081")
def another_port_of_the_hub(objects):
    settings(objects, "belfry-inapp")["BELFRY_INAPP_PORT"] = "8082"


@damage("router: its port health is 9000, by BELFRY_HEALTH_PORT 9001")
def another_health_port(objects):
    settings(objects, "belfry")["BELFRY_HEALTH_PORT"] = "9001"


@damage("router: nothing asks /health/ready")
def another_health_path(objects):
    container(objects, "router")["readinessProbe"]["httpGet"]["path"] = "/health"


@damage("push: it is killed after 30 s")
def killed_before_it_has_drained(objects):
    pod(objects, "push")["terminationGracePeriodSeconds"] = 30


@damage("it may need 60 + 5")
def a_longer_deadline_than_grace(objects):
    settings(objects, "belfry")["BELFRY_SERVICE_SHUTDOWN_DEADLINE"] = "60s"


@damage("email: it runs as 1000")
def another_user(objects):
    pod(objects, "email")["securityContext"]["runAsUser"] = 1000


@damage("inapp: no policy says")
def another_network(objects):
    named(objects, "NetworkPolicy", "belfry-data")["spec"]["podSelector"] = {"matchLabels": {"app": "belfry"}}


@damage("inapp: nobody may come in by hub")
def a_closed_door(objects):
    named(objects, "NetworkPolicy", "belfry-edge")["spec"]["ingress"][0]["ports"].pop()


@damage("router: it migrates by []")
def no_migration(objects):
    del pod(objects, "router")["initContainers"]


# Settings.


@damage("BELFRY_HEALTH_PATH is not a setting")
def a_setting_that_there_is_not(objects):
    settings(objects, "belfry")["BELFRY_HEALTH_PATH"] = "/health"


@damage("BELFRY_GATEWAY_PREFETCH is not a setting")
def a_setting_of_another_service(objects):
    settings(objects, "belfry-gateway")["BELFRY_GATEWAY_PREFETCH"] = "10"


@damage("BELFRY_GATWAY_HOST is no setting of anything")
def a_misspelt_section(objects):
    settings(objects, "belfry-gateway")["BELFRY_GATWAY_HOST"] = "0.0.0.0"


@damage("BELFRY_EMAIL_HOST is required")
def a_required_setting_is_missing(objects):
    del settings(objects, "belfry-email")["BELFRY_EMAIL_HOST"]


@damage("BELFRY_GATEWAY_MAXIMUM_CONNECTIONS=0 is not integer")
def a_setting_out_of_bounds(objects):
    settings(objects, "belfry-gateway")["BELFRY_GATEWAY_MAXIMUM_CONNECTIONS"] = "0"


@damage("BELFRY_LOG_LEVEL=verbose is not")
def a_setting_that_is_no_choice(objects):
    settings(objects, "belfry")["BELFRY_LOG_LEVEL"] = "verbose"


@damage("BELFRY_AUTH_SECRET is a secret")
def a_secret_in_the_open(objects):
    one = variable(objects, "gateway", "BELFRY_AUTH_SECRET")
    del one["valueFrom"]
    one["value"] = "0123456789abcdef0123456789abcdef"


@damage("does not say how the Secret broker")
def a_Secret_that_nobody_is_told_of(objects):
    variable(objects, "push", "BELFRY_BROKER_URL")["valueFrom"]["secretKeyRef"]["name"] = "broker"


@damage("nobody reaches its port health")
def heard_by_nobody(objects):
    del settings(objects, "belfry")["BELFRY_HEALTH_HOST"]


# Probes and ends.


@damage("inapp: it is restarted by /health/ready")
def restarted_because_the_database_is_away(objects):
    container(objects, "inapp")["livenessProbe"]["httpGet"]["path"] = "/health/ready"


@damage("gateway: while the database or the broker is away")
def no_gateway_while_the_database_is_away(objects):
    container(objects, "gateway")["readinessProbe"]["httpGet"]["path"] = "/health/ready"


@damage("readinessProbe does not ask its health port")
def probes_share_the_port_of_clients(objects):
    container(objects, "gateway")["readinessProbe"]["httpGet"]["port"] = "api"


@damage("gateway: it ends before proxies know it")
def no_pause_for_proxies(objects):
    del container(objects, "gateway")["lifecycle"]


# Hardening.


@damage("gateway: it gets variables of Services")
def variables_of_Services(objects):
    del pod(objects, "gateway")["enableServiceLinks"]


@damage("push: it has a token for Kubernetes")
def a_token_for_Kubernetes(objects):
    pod(objects, "push")["automountServiceAccountToken"] = True


@damage("router: migrate may write into its image")
def a_file_system_to_write_to(objects):
    containers({"spec": pod(objects, "router")})[0]["securityContext"]["readOnlyRootFilesystem"] = False


@damage("router: service may gain privileges")
def capabilities(objects):
    container(objects, "router")["securityContext"]["capabilities"] = {"drop": ["NET_RAW"]}


@damage("email: it has no seccomp profile")
def no_seccomp(objects):
    del pod(objects, "email")["securityContext"]["seccompProfile"]


@damage("push: it cannot read firebase")
def a_key_that_the_user_cannot_read(objects):
    volume(objects, "push", "firebase")["secret"]["defaultMode"] = 0o400


@damage("push: everybody can read firebase")
def a_key_for_all(objects):
    volume(objects, "push", "firebase")["secret"]["defaultMode"] = 0o444


@damage("push: everybody can read apns")
def another_key_for_all(objects):
    volume(objects, "push", "apns")["secret"]["defaultMode"] = 0o444


@damage("the receipts of gateway and push are of")
def a_gateway_that_takes_no_receipts(objects):
    container(objects, "gateway")["env"].remove(variable(objects, "gateway", "BELFRY_RECEIPTS_KEYS"))


@damage("the links to unsubscribe of gateway and email are of")
def a_gateway_that_knows_no_links(objects):
    container(objects, "gateway")["env"].remove(variable(objects, "gateway", "BELFRY_UNSUBSCRIBE_KEYS"))


@damage("the return paths of gateway and email are of")
def a_gateway_that_recognises_no_return_path(objects):
    container(objects, "gateway")["env"].remove(variable(objects, "gateway", "BELFRY_EMAIL_RETURN_PATH_KEYS"))


@damage("nobody reaches providers at port 2197")
def no_way_to_APNs_at_its_other_port(objects):
    named(objects, "NetworkPolicy", "belfry-providers")["spec"]["egress"][0]["ports"].pop()


@damage("router: service has no limits")
def no_limits(objects):
    del container(objects, "router")["resources"]["limits"]["memory"]


@damage("router: service is of no release")
def an_image_of_no_release(objects):
    container(objects, "router")["image"] = "belfry"


# Files.


@damage("push: BELFRY_PUSH_SERVICE_ACCOUNT_FILE=/etc/belfry/service-account.json is in nothing")
def a_key_that_is_mounted_elsewhere(objects):
    settings(objects, "belfry-push")["BELFRY_PUSH_SERVICE_ACCOUNT_FILE"] = "/etc/belfry/service-account.json"


@damage("email: service has no /etc/belfry/files")
def a_service_that_cannot_read_the_brokers_authority(objects):
    container(objects, "email")["volumeMounts"] = []


@damage("router: migrate has no /etc/belfry/files")
def a_migration_that_cannot_read_the_databases_authority(objects):
    del pod(objects, "router")["initContainers"][0]["volumeMounts"]


# Names.


@damage("the components are")
def a_service_that_an_upgrade_forgets(objects):
    del deployment(objects, "push")["metadata"]["labels"]["app.kubernetes.io/component"]


@damage("there is no ConfigMap belfry-mail")
def a_ConfigMap_that_there_is_not(objects):
    container(objects, "email")["envFrom"][1]["configMapRef"]["name"] = "belfry-mail"


@damage("Service belfry-gateway: it has no pods")
def a_Service_without_pods(objects):
    named(objects, "Service", "belfry-gateway")["spec"]["selector"] = {"app": "gateway"}


@damage("Service belfry-gateway: its port 8080")
def a_Service_of_another_port(objects):
    named(objects, "Service", "belfry-gateway")["spec"]["ports"][0]["targetPort"] = "health"


@damage("router: it has no budget")
def a_budget_of_nothing(objects):
    named(objects, "PodDisruptionBudget", "belfry-router")["spec"]["maxUnavailable"] = 0


@damage("api.example.com leads to gateway")
def an_entrance_to_nothing(objects):
    rule = named(objects, "Ingress", "belfry-gateway")["spec"]["rules"][0]
    rule["http"]["paths"][0]["backend"]["service"]["name"] = "gateway"


@damage("belfry-inapp-2.hub.example.com has no certificate")
def a_host_without_a_certificate(objects):
    named(objects, "Ingress", "belfry-inapp")["spec"]["tls"][0]["hosts"].pop()


@damage("how the certificate belfry-hub-tls is made")
def a_certificate_that_nobody_is_told_of(objects):
    named(objects, "Ingress", "belfry-inapp")["spec"]["tls"][0]["secretName"] = "belfry-hub-tls"


# The hub's nodes.


@damage("belfry-inapp-3 sends its clients to")
def more_nodes_than_addresses(objects):
    named(objects, "HorizontalPodAutoscaler", "belfry-inapp")["spec"]["maxReplicas"] = 4


@damage("belfry-inapp-1 sends its clients to")
def a_node_with_the_address_of_another(objects):
    named(objects, "Service", "belfry-inapp-1")["spec"]["selector"] = {
        "statefulset.kubernetes.io/pod-name": "belfry-inapp-0"
    }


@damage("belfry-inapp-0 sends its clients to no address")
def nodes_without_an_address(objects):
    container(objects, "inapp")["env"].remove(variable(objects, "inapp", "BELFRY_INAPP_PUBLIC_URL"))


@damage("belfry-inapp-0.$(HUB_DOMAIN)")
def an_address_of_what_is_not_in_env(objects):
    container(objects, "inapp")["env"].remove(variable(objects, "inapp", "HUB_DOMAIN"))


@damage("push.example.com does not lead to the hub")
def another_domain_of_the_hub(objects):
    settings(objects, "belfry-inapp")["HUB_DOMAIN"] = "push.example.com"


@damage("belfry-inapp-2: its clients lose it")
def a_node_that_vanishes_when_it_is_not_ready(objects):
    del named(objects, "Service", "belfry-inapp-2")["spec"]["publishNotReadyAddresses"]


# Scaling.


@damage("router: it looks at ['belfry.routing']")
def scaled_by_another_queue(objects):
    metric = named(objects, "HorizontalPodAutoscaler", "belfry-router")["spec"]["metrics"][0]["external"]["metric"]
    metric["selector"]["matchLabels"]["queue"] = "belfry.routing"


@damage("gateway: the number of copies is both given and scaled")
def scaled_and_counted(objects):
    deployment(objects, "gateway")["spec"]["replicas"] = 2


@damage("belfry-push: there is no")
def nothing_to_scale(objects):
    named(objects, "HorizontalPodAutoscaler", "belfry-push")["spec"]["scaleTargetRef"]["name"] = "push"


@damage("the copies may ask for")
def more_copies_than_the_database_has_connections(objects):
    named(objects, "HorizontalPodAutoscaler", "belfry-push")["spec"]["maxReplicas"] = 60
