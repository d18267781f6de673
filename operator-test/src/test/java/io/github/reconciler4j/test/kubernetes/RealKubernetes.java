package io.github.reconciler4j.test.kubernetes;

import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A running Kubernetes control plane on loopback. Tests usually get one handed in:
 *
 * <pre>{@code
 * @RealKubernetesTest
 * class WidgetIntegrationTests {
 *     @Test
 *     void somethingWhenCreatedHappens(RealKubernetes kubernetes) {
 *         String namespace = kubernetes.createNamespace("widgets");
 *         Config admin = kubernetes.config();
 *         Config alice = kubernetes.config("alice");                              // no rights but those you give her
 *         Config account = kubernetes.serviceAccountConfig(namespace, "default"); // a token, good for an hour
 *         kubernetes.kubectl("-n", namespace, "create", "deployment", "web", "--image=web");
 *     }
 * }
 * }</pre>
 *
 * <p>The test classes of one JVM share an instance, so a test works in a namespace of its own, does not count on
 * cluster-wide emptiness, and asks for a dedicated instance ({@link RealKubernetesTest#dedicated}) before it disturbs
 * components.
 *
 * <p>Pods get a node and are ready at once; those of Jobs succeed; those with an image below {@code missing.example/}
 * never start. The garbage collector takes up to 40 seconds to learn of a new custom resource definition, unless it is
 * applied by {@link #applyDefinitions}.
 *
 * <p>The instance ends with {@link #close} and, within about two seconds, when this JVM ends in any way. The first start
 * on a machine builds the programs (several minutes, progress on standard error), see {@code dev/README.md}. Safe for
 * use by many threads.
 */
public final class RealKubernetes implements AnyKubernetes {

    /** How long a start may take (30 minutes): the first one on a machine compiles Kubernetes. */
    static final Duration START_TIMEOUT = Duration.ofMinutes(30);

    private static final Duration COMMAND_TIMEOUT = Duration.ofMinutes(2);
    private static final String NOT_CONNECTED = "net/http: TLS handshake timeout";
    private static final int ATTEMPTS = 6;

    /** fabric8's client sends a request again that has timed out, and a creation that is sent twice conflicts with itself. */
    private static final int REQUEST_TIMEOUT_MILLIS = 60_000;

    private static final Pattern ASSIGNMENT = Pattern.compile("(?m)^export (\\w+)=(.*)$");
    private static final AtomicInteger STARTED = new AtomicInteger();

    private final DevScript script;
    private final RealKubernetesOptions options;
    private final String name;
    private final Path folder;
    private final URI server;
    private final Path binaries;
    private final AtomicInteger namespaces = new AtomicInteger();
    private final AtomicBoolean closed = new AtomicBoolean();

    private RealKubernetes(
            DevScript script, RealKubernetesOptions options, String name, Map<String, String> variables) {
        this.script = script;
        this.options = options;
        this.name = name;
        this.folder = Path.of(variables.get("DEV_KUBERNETES_INSTANCE"));
        this.server = URI.create(variables.get("DEV_KUBERNETES_SERVER"));
        this.binaries = Path.of(variables.get("DEV_KUBERNETES_BINARIES"));
    }

    /** Starts an instance with all components, see {@link #start(RealKubernetesOptions)}. */
    public static RealKubernetes start() {
        return start(RealKubernetesOptions.defaults());
    }

    /**
     * Starts an instance that belongs to this JVM and waits until it is usable, that is, until the API server is ready
     * and (where they run) the controllers work and the nodes are ready.
     *
     * @param options what it consists of
     * @throws IllegalStateException if it cannot be had, with the reason and what to do about it
     */
    public static RealKubernetes start(RealKubernetesOptions options) {
        if ("in-jvm".equals(System.getProperty(AnyKubernetesExtension.PROPERTY))) {
            throw new IllegalStateException(
                    "A test of the quick proof needs a real control plane: annotate its class with"
                            + " @RealKubernetesTest, or with @Tag(\"whole\"), so that only dev/test runs it");
        }
        return start(DevScript.find(), options);
    }

    static RealKubernetes start(DevScript script, RealKubernetesOptions options) {
        String name = "jvm-" + ProcessHandle.current().pid() + "-" + STARTED.incrementAndGet();
        String parent = Long.toString(ProcessHandle.current().pid());
        String only = options.components().stream()
                .map(KubernetesComponent::scriptName)
                .collect(Collectors.joining(","));
        List<String> arguments = new ArrayList<>(List.of("up", "--name", name, "--parent", parent, "--only", only));
        options.arguments().forEach(argument -> arguments.addAll(List.of("--arg", argument)));
        if (!options.missingControllers().isEmpty()) {
            arguments.addAll(List.of("--without-controllers", String.join(",", options.missingControllers())));
        }
        String printed = script.run(START_TIMEOUT, "", RealKubernetes::print, arguments);
        return new RealKubernetes(script, options, name, variables(printed));
    }

    private static void print(String line) {
        System.err.println(line);
    }

    private static Map<String, String> variables(String printed) {
        Map<String, String> variables = new HashMap<>();
        Matcher matcher = ASSIGNMENT.matcher(printed);
        while (matcher.find()) {
            variables.put(matcher.group(1), matcher.group(2));
        }
        return variables;
    }

    /** Returns the instance's name, as {@code dev/kubernetes status} shows it. */
    public String name() {
        return name;
    }

    /** Returns the address of the API server. It stays the same when the API server is restarted. */
    public URI server() {
        return server;
    }

    /** Returns the folder with the programs etcd, kube-apiserver, kubectl and others. */
    public Path binaries() {
        return binaries;
    }

    /** Returns the client configuration of the administrator (client certificate, group {@code system:masters}). */
    @Override
    public Config config() {
        return config("admin");
    }

    /**
     * Returns the client configuration of a user.
     *
     * @param user {@code admin}, or {@code alice} or {@code bob}: users with a token, in the group {@code developers},
     *     who may do nothing but what a test's role bindings allow
     */
    @Override
    public Config config(String user) {
        Config config = Config.fromKubeconfig(kubeconfig(user).toFile());
        config.setRequestTimeout(REQUEST_TIMEOUT_MILLIS);
        return config;
    }

    /**
     * Returns a client configuration with a fresh token of a service account, good for an hour.
     *
     * @param namespace the account's namespace
     * @param account the account's name; it must exist
     * @throws IllegalStateException if there is no such account
     */
    @Override
    public Config serviceAccountConfig(String namespace, String account) {
        Config admin = config();
        return new ConfigBuilder(Config.empty())
                .withMasterUrl(server.toString())
                .withCaCertData(admin.getCaCertData())
                .withOauthToken(serviceAccountToken(namespace, account))
                .withRequestTimeout(REQUEST_TIMEOUT_MILLIS)
                .withNamespace(namespace)
                .build();
    }

    /** Returns a fresh token of a service account, see {@link #serviceAccountConfig}. */
    public String serviceAccountToken(String namespace, String account) {
        return run("token", "--name", name, namespace, account).strip();
    }

    /** Returns the administrator's kubeconfig; it has a context for each user, too. */
    @Override
    public Path kubeconfig() {
        return folder.resolve("kubeconfig");
    }

    /** Returns the kubeconfig of one user, see {@link #config(String)}. */
    public Path kubeconfig(String user) {
        return folder.resolve("kubeconfig-" + user);
    }

    /**
     * Creates a namespace that no other test has, and waits until pods can be created in it.
     *
     * @param prefix the first part of its name
     * @return its name
     */
    @Override
    public String createNamespace(String prefix) {
        String namespace = prefix + "-" + namespaces.incrementAndGet();
        run("namespace", "--name", name, namespace);
        return namespace;
    }

    /**
     * Runs kubectl as the administrator and returns what it printed.
     *
     * @throws IllegalStateException if it fails, with what it said
     */
    public String kubectl(String... arguments) {
        return kubectlWithInput("", arguments);
    }

    /**
     * Runs kubectl with something to read, for instance {@code kubectlWithInput(yaml, "apply", "-f", "-")}. Runs it again if it could not
     * connect within ten seconds, as on a busy machine: it has asked nothing then.
     */
    public String kubectlWithInput(String input, String... arguments) {
        List<String> all = new ArrayList<>(List.of("kubectl", "--name", name));
        all.addAll(Arrays.asList(arguments));
        for (int attempt = 1; ; attempt++) {
            try {
                return script.run(COMMAND_TIMEOUT, input, nothing(), all);
            } catch (IllegalStateException e) {
                if (attempt == ATTEMPTS || !String.valueOf(e.getMessage()).contains(NOT_CONNECTED)) {
                    throw e;
                }
            }
        }
    }

    /**
     * Applies custom resource definitions and waits until their resources are served. If something changed and there is
     * a controller manager, it is restarted, so that the garbage collector knows them at once instead of after up to 40
     * seconds.
     *
     * @param definitions one or several definitions as YAML
     * @throws IllegalStateException if one is refused or not served within a minute, with what kubectl said
     */
    @Override
    public void applyDefinitions(String definitions) {
        String applied = kubectlWithInput(definitions, "apply", "-f", "-");
        awaitServed(definitions);
        boolean changed = applied.lines().anyMatch(line -> !line.endsWith(" unchanged"));
        if (changed && options.components().contains(KubernetesComponent.CONTROLLER_MANAGER)) {
            restart(KubernetesComponent.CONTROLLER_MANAGER);
        }
    }

    /**
     * Wait until custom resource definitions that were applied are served.
     *
     * @param definitions one or several definitions as YAML
     * @throws IllegalStateException if one is not served within a minute, with what kubectl said
     */
    public void awaitServed(String definitions) {
        await("conditions of the definitions") // 'kubectl wait' fails at once at an object without any
                .atMost(COMMAND_TIMEOUT)
                .until(() -> !kubectlWithInput(definitions, "get", "-o", "json", "-f", "-")
                        .contains("\"conditions\": null"));
        kubectlWithInput(definitions, "wait", "--for=condition=Established", "--timeout=100s", "-f", "-");
        kubectlWithInput(definitions, "get", "-o", "name", "-f", "-").lines().forEach(line -> {
            String name = line.substring(line.indexOf('/') + 1);
            await(name + " is discovered") // without that, 'kubectl create' does not know the kind
                    .atMost(COMMAND_TIMEOUT)
                    .until(() -> isDiscovered(name));
        });
    }

    private boolean isDiscovered(String definition) {
        String group = definition.substring(definition.indexOf('.') + 1);
        return kubectl("api-resources", "--cached=false", "--api-group=" + group, "-o", "name")
                .lines()
                .anyMatch(definition::equals);
    }

    /** Stop a component gracefully, or forcibly after 10 seconds. etcd needs 7 seconds. */
    public void stop(KubernetesComponent component) {
        run("stop", "--name", name, component.scriptName());
    }

    /** Ends a component at once, as a crash would, and leaves it ended. */
    public void kill(KubernetesComponent component) {
        run("kill", "--name", name, component.scriptName());
    }

    /** Starts a stopped component with the same arguments; waits for the API server to be ready if it is that one. */
    public void start(KubernetesComponent component) {
        run("start", "--name", name, component.scriptName());
    }

    /** Stops and starts a component. */
    public void restart(KubernetesComponent component) {
        run("restart", "--name", name, component.scriptName());
    }

    /** Halts a component: its connections stay open and nothing answers. Without effect if it is halted. */
    public void pause(KubernetesComponent component) {
        run("pause", "--name", name, component.scriptName());
    }

    /** Resume a paused component. No effect if it is not paused. */
    public void resume(KubernetesComponent component) {
        run("resume", "--name", name, component.scriptName());
    }

    /** Returns what a component has logged so far. */
    public String log(KubernetesComponent component) {
        return run("logs", "--name", name, component.scriptName());
    }

    /** Ends the instance and deletes its data. Does nothing the second time. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            run("down", "--name", name);
        }
    }

    private String run(String... arguments) {
        return script.run(COMMAND_TIMEOUT, "", nothing(), List.of(arguments));
    }

    private static Consumer<String> nothing() {
        return line -> {};
    }
}
