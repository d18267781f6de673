package io.github.reconciler4j.test.server.internal.rest;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.apimachinery.schema.BuiltInTables;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * What a pod violates of a Pod Security Standard, in the order and the words of {@code k8s.io/pod-security-admission}. Standards before
 * 1.19, which looked at annotations for seccomp, are those of 1.19. Confined to one thread.
 */
final class PodSecurityChecks extends PodViolations {

    private static final Set<String> SE_LINUX_TYPES = Set.of("", "container_t", "container_init_t", "container_kvm_t");

    private static final Set<String> PROFILES = Set.of("RuntimeDefault", "Localhost");

    /** The minor version of the standard that first allows something, by {@code sort/name}, from {@code pod-security.tsv}. */
    private static final Map<String, Integer> ALLOWED = new HashMap<>();

    static {
        BuiltInTables.read(
                PodSecurityChecks.class,
                "pod-security.tsv",
                row -> ALLOWED.put(row[0] + "/" + row[1], row.length > 2 ? Integer.parseInt(row[2]) : 0));
    }

    private static final String APP_ARMOR = "container.apparmor.security.beta.kubernetes.io/";

    /** The first minor versions of the standards that know something. */
    private static final int USER_NAMESPACES = 35;

    private static final int HOSTS_OF_PROBES = 34;
    private static final int ENGINE_TYPE = 31;
    private static final int WINDOWS = 25;
    private static final int USER_ZERO = 23;
    private static final int RESTRICTED_CAPABILITIES = 22;

    private final int minor;

    private PodSecurityChecks(JsonNode pod, int minor) {
        super(pod);
        this.minor = minor;
    }

    /**
     * Return what a pod, or the template of one, violates.
     *
     * @param minor the minor version of the standard
     */
    static List<Violation> check(JsonNode pod, boolean restricted, int minor) {
        PodSecurityChecks checks = new PodSecurityChecks(pod, minor);
        checks.baseline(restricted);
        if (restricted) {
            checks.restricted();
        }
        return checks.found;
    }

    private boolean allows(String sort, String name) {
        Integer first = ALLOWED.get(sort + "/" + name);
        return first != null && first <= minor;
    }

    /** Make the checks of the baseline, without those that the restricted standard replaces. */
    private void baseline(boolean restricted) {
        appArmor();
        if (!restricted || minor < RESTRICTED_CAPABILITIES) {
            capabilities();
        }
        hostNamespaces();
        if (!restricted) {
            hostPaths();
        }
        hostPorts();
        if (minor >= HOSTS_OF_PROBES) {
            hostsOfProbes();
        }
        containersThat(
                "privileged",
                is("/securityContext/privileged", "true"),
                "must not set securityContext.privileged=true");
        if (!restricted && !hasUserNamespace() || restricted && minor < USER_NAMESPACES) {
            procMount();
        }
        seLinux();
        if (!restricted) {
            seccomp(false);
        }
        sysctls();
        settersThat(
                "hostProcess",
                is("/securityContext/windowsOptions/hostProcess", "true"),
                values -> "must not set securityContext.windowsOptions.hostProcess=true",
                "");
    }

    private void restricted() {
        boolean windows = minor >= WINDOWS && Json.text(spec, "os", "name").equals("windows");
        if (!windows) {
            containersThat(
                    "allowPrivilegeEscalation != false",
                    is("/securityContext/allowPrivilegeEscalation", "false").negate(),
                    "must set securityContext.allowPrivilegeEscalation=false");
            if (minor >= RESTRICTED_CAPABILITIES) {
                restrictedCapabilities();
            }
        }
        if (minor >= USER_NAMESPACES) {
            procMount();
        }
        restrictedVolumes();
        if (!hasUserNamespace()) {
            runAsNonRoot();
            if (minor >= USER_ZERO) {
                settersThat(
                        "runAsUser=0", is("/securityContext/runAsUser", "0"), values -> "must not set runAsUser=0", "");
            }
        }
        if (!windows) {
            seccomp(true);
        }
    }

    private boolean hasUserNamespace() {
        return minor >= USER_NAMESPACES && spec.path("hostUsers").asText("").equals("false");
    }

    private void appArmor() {
        String path = "/securityContext/appArmorProfile/type";
        Set<String> values = new TreeSet<>();
        List<String> setters = setters(
                node -> !node.at("/securityContext/appArmorProfile").isMissingNode()
                        && !PROFILES.contains(node.at(path).asText("")),
                node -> values.add(node.at(path).asText("")));
        List<String> annotations = Json.stringMap(metadata, "annotations").entrySet().stream()
                .filter(each -> each.getKey().startsWith(APP_ARMOR)
                        && !each.getValue().isEmpty()
                        && !each.getValue().equals("runtime/default")
                        && !each.getValue().startsWith("localhost/"))
                .map(each -> each.getKey() + "=\"" + each.getValue() + "\"")
                .sorted()
                .toList();
        if (!annotations.isEmpty()) {
            setters.add(plural("annotation", "annotations", annotations));
        }
        if (!setters.isEmpty()) {
            List<String> all = new ArrayList<>(values);
            all.addAll(annotations);
            found.add(new Violation(
                    plural("forbidden AppArmor profile", "forbidden AppArmor profiles", all),
                    String.join(" and ", setters) + " must not set AppArmor profile type to " + quoted(all)));
        }
    }

    private void capabilities() {
        Set<String> added = new TreeSet<>();
        List<String> names = containersWhere(container -> adds(container, name -> allows("capability", name), added));
        if (!names.isEmpty()) {
            found.add(new Violation("non-default capabilities", mustNotInclude(names, added)));
        }
    }

    private static boolean adds(JsonNode container, Predicate<String> allowed, Set<String> forbidden) {
        List<String> others = Json.texts(container, "securityContext", "capabilities", "add").stream()
                .filter(allowed.negate())
                .toList();
        return forbidden.addAll(others) || !others.isEmpty();
    }

    private static String mustNotInclude(List<String> names, Set<String> added) {
        return named("container", names) + " must not include " + quoted(added)
                + " in securityContext.capabilities.add";
    }

    private void restrictedCapabilities() {
        List<String> details = new ArrayList<>();
        List<String> keeping =
                containersWhere(container -> !Json.texts(container, "securityContext", "capabilities", "drop")
                        .contains("ALL"));
        if (!keeping.isEmpty()) {
            details.add(named("container", keeping) + " must set securityContext.capabilities.drop=[\"ALL\"]");
        }
        Set<String> added = new TreeSet<>();
        List<String> adding = containersWhere(container -> adds(container, "NET_BIND_SERVICE"::equals, added));
        if (!adding.isEmpty()) {
            details.add(mustNotInclude(adding, added));
        }
        if (!details.isEmpty()) {
            found.add(new Violation("unrestricted capabilities", String.join("; ", details)));
        }
    }

    private void hostNamespaces() {
        List<String> shared = List.of("hostNetwork", "hostPID", "hostIPC").stream()
                .filter(field -> spec.path(field).asBoolean())
                .map(field -> field + "=true")
                .toList();
        if (!shared.isEmpty()) {
            found.add(new Violation("host namespaces", String.join(", ", shared)));
        }
    }

    private void hostPaths() {
        List<String> names = Json.items(spec, "volumes").stream()
                .filter(volume -> volume.hasNonNull("hostPath"))
                .map(volume -> Json.text(volume, "name"))
                .toList();
        if (!names.isEmpty()) {
            found.add(new Violation("hostPath volumes", named("volume", names)));
        }
    }

    private void hostPorts() {
        Set<String> ports = new TreeSet<>();
        List<String> names = containersWhere(container -> {
            List<String> own = Json.items(container, "ports").stream()
                    .map(port -> port.path("hostPort").asText(""))
                    .filter(port -> !port.isEmpty() && !port.equals("0"))
                    .toList();
            ports.addAll(own);
            return !own.isEmpty();
        });
        if (!names.isEmpty()) {
            String uses = named("container", names) + plural(" uses ", " use ", names);
            found.add(new Violation(
                    "hostPort", uses + plural("hostPort ", "hostPorts ", ports) + String.join(", ", ports)));
        }
    }

    private void hostsOfProbes() {
        Set<String> hosts = new TreeSet<>();
        Set<String> names = new TreeSet<>(containersWhere(container -> {
            List<String> own = new ArrayList<>();
            for (String handler : List.of(
                    "/livenessProbe",
                    "/readinessProbe",
                    "/startupProbe",
                    "/lifecycle/postStart",
                    "/lifecycle/preStop")) {
                own.add(container.at(handler + "/httpGet/host").asText(""));
                own.add(container.at(handler + "/tcpSocket/host").asText(""));
            }
            own.removeIf(String::isEmpty);
            hosts.addAll(own);
            return !own.isEmpty();
        }));
        if (!names.isEmpty()) {
            String uses = named("container", names) + plural(" uses ", " use ", names);
            found.add(new Violation("probe or lifecycle host", uses + named("probe or lifecycle host", hosts)));
        }
    }

    private void procMount() {
        Set<String> types = new TreeSet<>();
        List<String> names = containersWhere(container -> {
            String type = Json.text(container, "securityContext", "procMount");
            boolean isOther = !type.isEmpty() && !type.equals("Default");
            if (isOther) {
                types.add(type);
            }
            return isOther;
        });
        if (!names.isEmpty()) {
            found.add(new Violation(
                    "procMount",
                    named("container", names) + " must not set securityContext.procMount to " + quoted(types)));
        }
    }

    private void seLinux() {
        Set<String> types = new TreeSet<>();
        Set<String> other = new TreeSet<>(Comparator.reverseOrder()); // the user before the role
        List<String> setters = setters(node -> isBadSeLinux(node.at("/securityContext/seLinuxOptions")), node -> {
            JsonNode options = node.at("/securityContext/seLinuxOptions");
            if (!isSeLinuxType(Json.text(options, "type"))) {
                types.add(Json.text(options, "type"));
            }
            List.of("user", "role").stream()
                    .filter(field -> !Json.text(options, field).isEmpty())
                    .forEach(field -> other.add(field + " may not be set"));
        });
        if (!setters.isEmpty()) {
            List<String> data = new ArrayList<>();
            if (!types.isEmpty()) {
                data.add(named("type", types));
            }
            data.addAll(other);
            found.add(new Violation(
                    "seLinuxOptions",
                    String.join(" and ", setters) + " set forbidden securityContext.seLinuxOptions: "
                            + String.join("; ", data)));
        }
    }

    private boolean isBadSeLinux(JsonNode options) {
        return !isSeLinuxType(Json.text(options, "type"))
                || !Json.text(options, "user").isEmpty()
                || !Json.text(options, "role").isEmpty();
    }

    private boolean isSeLinuxType(String type) {
        return SE_LINUX_TYPES.contains(type) || minor >= ENGINE_TYPE && type.equals("container_engine_t");
    }

    private void seccomp(boolean required) {
        String path = "/securityContext/seccompProfile/type";
        Predicate<JsonNode> isSet =
                node -> node.at("/securityContext/seccompProfile").isObject();
        Predicate<JsonNode> isBad =
                isSet.and(node -> !PROFILES.contains(node.at(path).asText("")));
        int before = found.size();
        settersThat(
                "seccompProfile",
                isBad,
                values -> "must not set securityContext.seccompProfile.type to " + quoted(values),
                path);
        boolean covered = isSet.test(spec) && !isBad.test(spec);
        List<String> without = containersWhere(isSet.negate());
        if (required && found.size() == before && !covered && !without.isEmpty()) {
            found.add(new Violation(
                    "seccompProfile",
                    "pod or " + named("container", without)
                            + " must set securityContext.seccompProfile.type to \"RuntimeDefault\" or \"Localhost\""));
        }
    }

    private void sysctls() {
        List<String> forbidden = Json.items(spec, "securityContext", "sysctls").stream()
                .map(each -> Json.text(each, "name"))
                .filter(name -> !allows("sysctl", name))
                .toList();
        if (!forbidden.isEmpty()) {
            found.add(new Violation("forbidden sysctls", String.join(", ", forbidden)));
        }
    }

    private void restrictedVolumes() {
        Set<String> types = new TreeSet<>();
        List<String> names = new ArrayList<>();
        for (JsonNode volume : Json.items(spec, "volumes")) {
            List<String> sources = new ArrayList<>();
            volume.fieldNames().forEachRemaining(sources::add);
            sources.remove("name");
            if (sources.stream().noneMatch(name -> allows("volume", name))) {
                names.add(Json.text(volume, "name"));
                types.add(sources.isEmpty() ? "unknown" : sources.get(0));
            }
        }
        if (!names.isEmpty()) {
            found.add(new Violation(
                    "restricted volume types",
                    named("volume", names)
                            + plural(" uses ", " use ", names)
                            + named("restricted volume type", types)));
        }
    }

    private void runAsNonRoot() {
        String path = "/securityContext/runAsNonRoot";
        int before = found.size();
        settersThat(
                "runAsNonRoot != true",
                is(path, "false"),
                values -> "must not set securityContext.runAsNonRoot=false",
                path);
        List<String> without = is(path, "true").test(spec)
                ? List.of()
                : containersWhere(container -> container.at(path).asText("").isEmpty());
        if (found.size() == before && !without.isEmpty()) {
            found.add(new Violation(
                    "runAsNonRoot != true",
                    "pod or " + named("container", without) + " must set securityContext.runAsNonRoot=true"));
        }
    }
}
