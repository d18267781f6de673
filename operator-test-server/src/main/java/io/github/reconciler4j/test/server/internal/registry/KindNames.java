package io.github.reconciler4j.test.server.internal.registry;

import java.util.List;

/**
 * The names of a kind.
 *
 * @param kind the kind, such as {@code Deployment}
 * @param listKind the kind of its lists
 * @param plural the lower-case plural of paths
 * @param categories groups of kinds, such as {@code all}
 */
public record KindNames(
        String kind,
        String listKind,
        String plural,
        String singular,
        List<String> shortNames,
        List<String> categories) {}
