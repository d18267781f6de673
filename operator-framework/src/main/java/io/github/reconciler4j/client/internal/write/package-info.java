/**
 * Writes objects. {@code ServerWriter} sends the writes of {@code Writer} and notifies the cache of their responses;
 * {@code WriteCalls} creates the requests; {@code ServerSubresource} does the same for subresources; {@code Patches} and
 * {@code MergeDiff} compute patches.
 */
@NullMarked
package io.github.reconciler4j.client.internal.write;

import org.jspecify.annotations.NullMarked;
