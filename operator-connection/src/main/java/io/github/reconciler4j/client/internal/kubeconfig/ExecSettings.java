package io.github.reconciler4j.client.internal.kubeconfig;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.github.reconciler4j.support.KubernetesJson;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How a plug-in runs. Immutable.
 *
 * @param commandLine the command and its arguments, which no shell sees
 * @param environment the variables that are added to those of this process
 * @param apiVersion the version of what it prints
 * @param installHint what to do if it is missing, {@code ""} for nothing
 * @param timeout how long it may run
 */
record ExecSettings(
        List<String> commandLine,
        Map<String, String> environment,
        String apiVersion,
        String installHint,
        Duration timeout) {

    private static final String GROUP = "client.authentication.k8s.io/";
    private static final Set<String> VERSIONS = Set.of(GROUP + "v1", GROUP + "v1beta1");
    private static final Set<String> MODES = Set.of("Never", "IfAvailable", "Always");
    private static final Pattern SECRET_ARGUMENT =
            Pattern.compile("(?i)-.*(token|passw|secret|credential|key|pin|code).*");

    /**
     * Read the settings of a user.
     *
     * @param folder the folder of the kubeconfig, to which a command with a path is relative
     * @param cluster the cluster for a plug-in that asks for it
     */
    static ExecSettings of(Fields exec, @Nullable Path folder, Map<String, Object> cluster, Duration timeout) {
        String command = exec.text("command");
        String apiVersion = exec.text("apiVersion");
        exec.require(!command.isEmpty(), "has an exec plug-in without a 'command'");
        exec.require(
                VERSIONS.contains(apiVersion),
                "has an exec plug-in with an 'apiVersion' other than " + GROUP + "v1 and " + GROUP + "v1beta1");
        checkMode(exec, apiVersion);
        List<String> line = new ArrayList<>();
        line.add(located(command, folder));
        line.addAll(exec.texts("args"));
        exec.require(
                line.stream().noneMatch(each -> each.indexOf('\0') >= 0),
                "has an exec plug-in with a character that no command line can have");
        return new ExecSettings(
                List.copyOf(line),
                environment(exec, apiVersion, exec.flag("provideClusterInfo") ? cluster : null),
                apiVersion,
                exec.text("installHint").replaceAll("\\p{Cntrl}+", " ").strip(),
                timeout);
    }

    private static void checkMode(Fields exec, String apiVersion) {
        String mode = exec.text("interactiveMode");
        exec.require(
                !mode.isEmpty() || !apiVersion.equals(GROUP + "v1"),
                "has an exec plug-in without an 'interactiveMode', which " + GROUP + "v1 requires");
        exec.require(mode.isEmpty() || MODES.contains(mode), "has an exec plug-in with an unknown 'interactiveMode'");
    }

    /** Refuses a plug-in that asks a person; one that is not used, because there is a token, does not matter. */
    static void checkRunsAlone(Fields exec) {
        exec.require(
                !exec.text("interactiveMode").equals("Always"),
                "has an exec plug-in with the 'interactiveMode' Always, but this program has no terminal");
    }

    /** As for kubectl, a command without a separator is looked up on the PATH. */
    private static String located(String command, @Nullable Path folder) {
        return command.indexOf(File.separatorChar) < 0 || folder == null
                ? command
                : folder.resolve(command).normalize().toString();
    }

    private static Map<String, String> environment(
            Fields exec, String apiVersion, @Nullable Map<String, Object> cluster) {
        Map<String, String> environment = new LinkedHashMap<>();
        for (Fields variable : exec.objects("env")) {
            String name = variable.text("name");
            String value = variable.text("value");
            exec.require(!name.isEmpty(), "has an exec plug-in with a variable without a name");
            exec.require(
                    name.indexOf('=') < 0 && name.indexOf('\0') < 0 && value.indexOf('\0') < 0,
                    "has an exec plug-in with a variable that no environment can have");
            environment.put(name, value);
        }
        Map<String, Object> spec = new LinkedHashMap<>();
        if (cluster != null) {
            spec.put("cluster", cluster);
        }
        spec.put("interactive", false);
        Map<String, Object> info = new LinkedHashMap<>();
        info.put("kind", "ExecCredential");
        info.put("apiVersion", apiVersion);
        info.put("spec", spec);
        try {
            environment.put("KUBERNETES_EXEC_INFO", KubernetesJson.mapper().writeValueAsString(info));
        } catch (JsonProcessingException e) {
            throw exec.invalid("has a cluster that cannot be described to its exec plug-in");
        }
        return environment;
    }

    /** The plug-in in messages, without arguments, which can be secret. */
    String name() {
        return "the exec plug-in '" + commandLine.get(0) + "'";
    }

    /** Return texts that can be secret and that the plug-in may print. */
    List<String> secrets() {
        List<String> secrets = new ArrayList<>(environment.values());
        for (int i = 1; i < commandLine.size(); i++) {
            String argument = commandLine.get(i);
            int value = argument.indexOf('=');
            if (SECRET_ARGUMENT.matcher(commandLine.get(i - 1)).matches()) {
                secrets.add(argument);
            } else if (value > 0
                    && SECRET_ARGUMENT.matcher(argument.substring(0, value)).matches()) {
                secrets.add(argument.substring(value + 1));
            }
        }
        return secrets;
    }

    /** Neither arguments nor variables. */
    @Override
    public String toString() {
        return name();
    }
}
