package io.github.reconciler4j.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.reconciler4j.webhook.WebhookServerOptions.Service;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Each method of the options that takes a text, a duration or a number gets hostile ones, one at a time. It works, or throws an {@link
 * IllegalArgumentException} that names the parameter. To add a text, add it to {@link #TEXTS}.
 */
class HostileOptionsTests {

    private static final List<Object> OPTIONS =
            List.of(WebhookOptions.defaults(), WebhookServerOptions.defaults(), OwnCertificateOptions.defaults());
    private static final List<String> TEXTS = List.of(
            "",
            " ",
            "/",
            "a/b",
            "..",
            "%2F",
            "a\u0000b",
            "\r\nX: y",
            "\u0085",
            "\ud83d\ude00",
            "\ud800",
            "\u202eabc",
            "UPPER",
            "-",
            "{}",
            "${x} {{w}}",
            "*",
            "a:b",
            "0",
            "null",
            "a.b",
            "a..b",
            ".a",
            "a.",
            "a_b",
            "-a",
            "a-",
            "a-.b",
            "\u00e4",
            "\uff41",
            "x".repeat(63),
            "x".repeat(64),
            "x".repeat(63) + ".x",
            "x".repeat(253),
            "x".repeat(254),
            "x".repeat(100_000));
    private static final List<Duration> DURATIONS = List.of(
            Duration.ZERO,
            Duration.ofNanos(1),
            Duration.ofSeconds(-1),
            Duration.ofMillis(Long.MAX_VALUE),
            Duration.ofSeconds(Long.MAX_VALUE, 999_999_999),
            Duration.ofSeconds(Long.MIN_VALUE));

    private static final String LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
    private static final Pattern NAMESPACE = Pattern.compile("(?=.{1,63}$)" + LABEL);
    private static final Pattern NAME = Pattern.compile("(?=.{1,253}$)" + LABEL + "(\\." + LABEL + ")*");

    /** The names that the API server accepts, by the options that take them. */
    private static final Map<String, Pattern> NAMES = Map.of(
            "withService", NAMESPACE,
            "withNamespace", NAMESPACE,
            "withSecretName", NAME,
            "withConfigurationName", NAME);

    private final TreeSet<String> violations = new TreeSet<>();
    private int calls;
    private int refused;

    private static List<Object> hostile(Class<?> type) {
        if (type == String.class) {
            List<Object> texts = new ArrayList<>(TEXTS);
            Random random = new Random(Long.getLong("grid.seed", 1));
            for (int i = 1; i <= 10; i++) {
                texts.add(random.ints(i, 0, Character.MAX_CODE_POINT + 1)
                        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                        .toString());
            }
            return texts;
        }
        if (type == String[].class) {
            return hostile(String.class).stream()
                    .<Object>map(text -> new String[] {(String) text})
                    .toList();
        }
        if (type == Duration.class) {
            return List.copyOf(DURATIONS);
        }
        return type == int.class ? List.of(0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE) : List.of();
    }

    private static Object harmless(Parameter parameter) {
        return parameter.getType() == Duration.class ? Duration.ofSeconds(10) : "sample";
    }

    private void check(Object options, Method method, int at, Object value) {
        Object[] arguments = new Object[method.getParameterCount()];
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = i == at ? value : harmless(method.getParameters()[i]);
        }
        calls++;
        try {
            String.valueOf(method.invoke(options, arguments));
            if (value instanceof String text && !isAllowed(method.getName(), text)) {
                violations.add(method.getName() + " accepts '" + text + "'");
            }
        } catch (InvocationTargetException e) {
            refused++;
            String message = String.valueOf(e.getCause().getMessage()).toLowerCase(Locale.ROOT);
            String name = method.getParameters()[at].getName().toLowerCase(Locale.ROOT);
            String set = method.getName().substring("with".length()).toLowerCase(Locale.ROOT);
            boolean named = message.contains("'" + name + "'") || message.contains("'" + set + "'");
            if (!(e.getCause() instanceof IllegalArgumentException) || !named) {
                violations.add(method.getName() + " " + name + ": " + e.getCause());
            }
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    /** An empty name stands for the default where there is one. */
    private static boolean isAllowed(String method, String name) {
        Pattern names = NAMES.get(method);
        return names == null
                || name.isEmpty() && !method.equals("withService")
                || names.matcher(name).matches();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "0", "a-b", "x0123456789-123456789-123456789-123456789-123456789-123456789-1"})
    void nameWhenAnObjectCanHaveItIsAccepted(String name) {
        assertThat(WebhookServerOptions.defaults().withService(name, name).service())
                .contains(new Service(name, name, 443));
        assertThat(OwnCertificateOptions.defaults()
                        .withNamespace(name)
                        .withSecretName(name + ".b")
                        .secretName())
                .isEqualTo(name + ".b");
        assertThat(WebhookServerOptions.defaults()
                        .withConfigurationName(name + ".b")
                        .configurationName())
                .isEqualTo(name + ".b");
    }

    @Test
    void optionWhenItsValueIsHostileWorksOrNamesTheParameter(TestReporter reporter) {
        for (Object options : OPTIONS) {
            for (Method method : options.getClass().getDeclaredMethods()) {
                boolean sets = method.getName().startsWith("with") && Modifier.isPublic(method.getModifiers());
                for (int i = 0; sets && i < method.getParameterCount(); i++) {
                    for (Object value : hostile(method.getParameterTypes()[i])) {
                        check(options, method, i, value);
                    }
                }
            }
        }
        reporter.publishEntry("hostile options", calls + " calls, " + refused + " of them refused");
        assertThat(violations).isEmpty();
        assertThat(calls).isGreaterThan(300);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "a/b", "..", ".", "%2F", "a\u0000b"})
    void nameWhenNoObjectCanHaveItIsRefused(String name) {
        OwnCertificateOptions certificates = OwnCertificateOptions.defaults();
        WebhookServerOptions server = WebhookServerOptions.defaults();
        assertThatThrownBy(() -> certificates.withNamespace(name)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> certificates.withSecretName(name)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> server.withConfigurationName(name)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> server.withService(name, "hook")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> server.withService("shop", name)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> WebhookOptions.defaults().withSubresources(name))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 65_536})
    void portWhenNoServiceCanHaveItIsRefused(int port) {
        assertThatThrownBy(() -> new Service("shop", "hook", port))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'port'");
    }
}
