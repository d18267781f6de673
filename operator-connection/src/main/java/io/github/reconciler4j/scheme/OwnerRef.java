package io.github.reconciler4j.scheme;

/**
 * One entry of an object's {@code metadata.ownerReferences}. Immutable.
 *
 * <!-- snippet: KindUse -->
 * <pre>{@code
 * return header.ownerReferences().stream()
 *         .filter(OwnerRef::controller)
 *         .map(owner -> ObjectKey.of(header.key().namespace(), owner.name()))
 *         .findFirst();
 * }</pre>
 *
 * @param apiVersion the API version of the owner
 * @param kind the kind of the owner
 * @param name the name of the owner
 * @param uid the uid of the owner
 * @param controller whether the owner is the managing controller
 * @since 0.1.0
 */
public record OwnerRef(String apiVersion, String kind, String name, String uid, boolean controller) {}
