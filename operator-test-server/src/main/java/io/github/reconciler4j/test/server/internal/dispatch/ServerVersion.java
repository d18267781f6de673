package io.github.reconciler4j.test.server.internal.dispatch;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;

/** Which Kubernetes the server says it is. */
public record ServerVersion(int major, int minor, int patch) {
    ObjectNode tree() {
        return Json.object()
                .put("major", Integer.toString(major))
                .put("minor", Integer.toString(minor))
                .put("gitVersion", "v" + major + "." + minor + "." + patch + "+reconciler4j")
                .put("gitCommit", "")
                .put("gitTreeState", "clean")
                .put("buildDate", "1970-01-01T00:00:00Z")
                .put("goVersion", "none")
                .put("compiler", "javac")
                .put("platform", "java/" + System.getProperty("java.specification.version"));
    }
}
