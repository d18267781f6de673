package io.github.reconciler4j.client.internal.kubeconfig;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.Kubeconfig;
import io.github.reconciler4j.client.error.ConnectionException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each node of a kubeconfig gets each hostile value, and some texts are no kubeconfig at all. A kubeconfig is used or refused
 * with its place and without its content, whatever it contains, and one from a Secret refers to no file.
 *
 * <p>The build runs a sample; {@code -Dgrid.cells=all} runs the whole grid, {@code -Dgrid.seed=7} another sample, and {@code
 * -Dgrid.only=TEXT} the cells whose description contains the text.
 */
@Timeout(1200)
class HostileKubeconfigTests {

    private static final boolean WHOLE =
            System.getProperty("grid.cells", "sample").equals("all");
    private static final long SEED = Long.getLong("grid.seed", 1);
    private static final String ONLY = System.getProperty("grid.only", "");
    private static final int SHARE = 8;

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String WHERE = "The kubeconfig of Secret a/b";
    private static final String SECRET = "top-secret";
    private static final String ENCODED =
            Base64.getEncoder().encodeToString(SECRET.repeat(3).getBytes(StandardCharsets.UTF_8));

    /** JSON is YAML. */
    private static final String VALID = """
            {"apiVersion": "v1", "kind": "Config", "current-context": "x", "preferences": {}, "extensions": [],
            "contexts": [{"name": "x", "context": {"cluster": "c", "user": "u", "namespace": "n"}}],
            "clusters": [{"name": "c", "cluster": {"server": "https://127.0.0.1:1", "tls-server-name": "s",
              "insecure-skip-tls-verify": false, "certificate-authority": "", "certificate-authority-data": "",
              "proxy-url": "", "disable-compression": false, "extensions": []}}],
            "users": [{"name": "u", "user": {"token": "SECRET", "tokenFile": "", "client-certificate": "",
              "client-certificate-data": "", "client-key": "", "client-key-data": "", "username": "", "password": "",
              "as": "", "as-uid": "", "as-groups": [], "as-user-extra": {}, "auth-provider": null, "exec": null,
              "extensions": []}}]}""".replace("SECRET", SECRET);

    private static final List<String> VALUES = List.of(
            "null",
            "true",
            "0",
            "-1",
            "1e999",
            "[]",
            "{}",
            "[null]",
            "[[]]",
            "[{}]",
            "{\"a\": null}",
            "{\"\": {\"a\": []}}",
            "[".repeat(2000) + "]".repeat(2000),
            "\"\"",
            "\" \"",
            "\"x\"",
            "\"*\"",
            "\"\\u0000\"",
            "\"\\ud800\"",
            "\"\\ud83d\\ude00\"",
            "\"a\\r\\nb: c\"",
            "\"/etc/hostname\"",
            "\"../../etc/hostname\"",
            "\"file:///etc/hostname\"",
            "\"http://[\"",
            "\"https://a b:x\"",
            "\"https://user:" + SECRET + "@127.0.0.1:1\"",
            "\"" + SECRET + "\"",
            "\"" + ENCODED + "\"",
            "\"" + "x".repeat(100_000) + "\"");

    private static final List<String> TEXTS = List.of(
            "",
            " ",
            "null",
            "[]",
            "{",
            "a: b: c",
            "\t",
            "---\n---\n",
            "%YAML 9.9\n---\n{}",
            "&a [*a]",
            "users: &a [{user: *a}]",
            "a: &a [x, x]\nb: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a]\nc: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b]\n"
                    + "d: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c]\ne: [*d, *d, *d, *d, *d, *d, *d, *d, *d, *d, *d]",
            "!!java.net.URL [\"http://127.0.0.1:1\"]",
            "[".repeat(100_000),
            "a: ".repeat(10_000),
            "\ufeff" + VALID,
            VALID + "\n---\n" + VALID,
            VALID.replace("{", "{\u0000"),
            "<html>" + SECRET + "</html>",
            "token: " + SECRET + "\n  : - [");

    @TempDir
    private Path folder;

    private final List<String> violations = new ArrayList<>();
    private int usable;

    @Test
    void kubeconfigWhenAnyPartIsHostileIsUsedOrRefusedWithoutItsContent(TestReporter reporter) throws IOException {
        Map<String, String> cells = cells();
        Random random = new Random(SEED);
        cells.keySet().removeIf(cell -> ONLY.isEmpty() ? !WHOLE && random.nextInt(SHARE) > 0 : !cell.contains(ONLY));
        cells.forEach((cell, content) -> {
            check(
                    cell + ", embedded",
                    true,
                    () -> Kubeconfig.embedded(WHERE, content).read());
            Path file = folder.resolve("kubeconfig");
            check(cell + ", file", false, () -> {
                Files.writeString(file, content.replace('\ud800', '?'));
                return Kubeconfig.ofFile(file).read();
            });
        });
        reporter.publishEntry("cells", 2 * cells.size() + ", usable: " + usable);
        assertThat(violations).as("violations in %d cells", 2 * cells.size()).isEmpty();
        if (ONLY.isEmpty()) {
            assertThat(usable).as("cells that can be used").isBetween(cells.size() / 4, 2 * cells.size() - 1);
        }
    }

    private interface Reading {
        Config read() throws IOException;
    }

    private void check(String cell, boolean embedded, Reading reading) {
        try {
            Config config = reading.read();
            usable++;
            if (config.getMasterUrl() == null || config.getMasterUrl().isBlank()) {
                violations.add(cell + ": has no server");
            }
            if (embedded && refersToFiles(config)) {
                violations.add(cell + ": refers to a file");
            }
            ApiConnection.open(config).close();
        } catch (IllegalArgumentException | ConnectionException e) {
            StringWriter trace = new StringWriter();
            e.printStackTrace(new PrintWriter(trace));
            boolean namesPath = !embedded && cell.contains("/certificate-authority "); // which is no secret
            if (!namesPath && Stream.of(SECRET, ENCODED).anyMatch(trace.toString()::contains)) {
                violations.add(cell + ": the exception has the content: " + e);
            }
        } catch (Throwable e) {
            violations.add(cell + ": threw " + e);
        }
    }

    private static boolean refersToFiles(Config config) {
        return Stream.of(config.getCaCertFile(), config.getClientCertFile(), config.getClientKeyFile())
                        .anyMatch(file -> file != null && !file.isBlank())
                || config.getOauthTokenProvider() != null;
    }

    /** The contents by a description of the cell. */
    private static Map<String, String> cells() throws IOException {
        Map<String, String> cells = new LinkedHashMap<>();
        for (String pointer : pointers(JSON.readTree(VALID), "")) {
            cells.put(pointer + " removed", with(pointer, null));
            for (String value : VALUES) {
                cells.put(pointer + " = " + value.substring(0, Math.min(40, value.length())), with(pointer, value));
            }
        }
        for (String text : TEXTS) {
            cells.put("text " + text.substring(0, Math.min(40, text.length())), text);
        }
        return cells;
    }

    private static List<String> pointers(JsonNode node, String pointer) {
        List<String> pointers = new ArrayList<>();
        node.properties().forEach(field -> {
            pointers.add(pointer + "/" + field.getKey());
            pointers.addAll(pointers(field.getValue(), pointer + "/" + field.getKey()));
        });
        for (int i = 0; node.isArray() && i < node.size(); i++) {
            pointers.add(pointer + "/" + i);
            pointers.addAll(pointers(node.get(i), pointer + "/" + i));
        }
        return pointers;
    }

    /** Return the kubeconfig with another value at a place; without one if it is null. */
    private static String with(String pointer, String value) throws IOException {
        String place = "\"@place@\"";
        JsonNode root = JSON.readTree(VALID);
        int slash = pointer.lastIndexOf('/');
        JsonNode parent = root.at(pointer.substring(0, slash));
        String name = pointer.substring(slash + 1);
        if (parent instanceof ArrayNode array) {
            array.remove(Integer.parseInt(name));
            if (value != null) {
                array.insert(Integer.parseInt(name), "@place@");
            }
        } else if (value == null) {
            ((ObjectNode) parent).remove(name);
        } else {
            ((ObjectNode) parent).put(name, "@place@");
        }
        return root.toString().replace(place, value == null ? "" : value);
    }
}
