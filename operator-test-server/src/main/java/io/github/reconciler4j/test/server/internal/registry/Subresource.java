package io.github.reconciler4j.test.server.internal.registry;

import java.util.List;

/**
 * A part of an object with its own path, such as {@code status} or {@code scale}.
 *
 * @param group the group of the kind that is exchanged; empty together with version when it is the parent's
 * @param version the version of that kind
 * @param kind the kind that is exchanged
 * @param verbs what can be done with it
 */
public record Subresource(String name, String group, String version, String kind, List<String> verbs) {
    static final List<String> READ_WRITE = List.of("get", "patch", "update");

    public static Subresource status(String kind) {
        return new Subresource("status", "", "", kind, READ_WRITE);
    }

    public static Subresource scale() {
        return new Subresource("scale", "autoscaling", "v1", "Scale", READ_WRITE);
    }
}
