package io.github.reconciler4j.scheme;

/**
 * One entry of an object's {@code metadata.ownerReferences}. Immutable.
 *
 * @param apiVersion the owner's apiVersion
 * @param kind the owner's kind
 * @param name the owner's name
 * @param uid the owner's uid
 * @param controller whether the owner is the managing controller
 * @since 0.1.0
 */
public record OwnerRef(String apiVersion, String kind, String name, String uid, boolean controller) {}
