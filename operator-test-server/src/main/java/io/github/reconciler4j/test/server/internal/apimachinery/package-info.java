/**
 * Pure functions on JSON trees with the semantics of the Kubernetes API server, and what they share.
 *
 * <ul>
 *   <li>{@code patch}: JSON patch, merge patch, strategic merge patch.</li>
 *   <li>{@code apply}: server-side apply and the upkeep of {@code managedFields}.</li>
 *   <li>{@code schema}: types of built-in and custom resources: merging, pruning, defaulting, validation, OpenAPI.</li>
 *   <li>{@code selector}: label and field selectors.</li>
 *   <li>{@code columns}: JSONPath and printer columns.</li>
 * </ul>
 *
 * No function changes the trees given to it, none keeps state, all are safe for use by multiple threads at once.
 */
@NullMarked
package io.github.reconciler4j.test.server.internal.apimachinery;

import org.jspecify.annotations.NullMarked;
