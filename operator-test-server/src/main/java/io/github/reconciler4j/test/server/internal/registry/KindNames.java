package io.github.reconciler4j.test.server.internal.registry;

import java.util.List;

/**
 * How a kind is called.
 *
 * @param kind the kind, such as {@code Deployment}
 * @param listKind the kind of its lists
 * @param plural the lower-case plural of paths
 * @param singular the lower-case singular
 * @param shortNames what people type
 * @param categories groups of kinds, such as {@code all}
 * @since 0.1.0
 */
public record KindNames(
        String kind,
        String listKind,
        String plural,
        String singular,
        List<String> shortNames,
        List<String> categories) {}
