/**
 * Resources outside of the cluster that belong to an object: a bucket, a database, an account.
 *
 * <p>An {@link io.github.reconciler4j.external.ExternalResource} says how a provider observes, creates, updates and deletes them, and
 * {@link io.github.reconciler4j.external.ExternalResources} calls it in an order in which a crash between any two calls neither makes
 * two resources nor loses one. The {@link io.github.reconciler4j.external.ExternalResult} says how the resource stands.
 *
 * <h2>Design</h2>
 *
 * <p><b>The intent comes first.</b> Before the provider is asked to create, one write puts the finalizer and a record with the key of
 * the resource on the owner. It names the version of the owner that was looked at, so it fails for the late cache of a former leader,
 * and for an owner that is being deleted.
 *
 * <p><b>The key never changes.</b> It is made of the uid of the owner. Each process computes the same one, so a creation whose answer
 * was lost is repeated or found, never added to.
 *
 * <p><b>Absence needs time.</b> A creation of another process can be under way, and a provider can show it late. So "not found" counts
 * only when this process has heard it for long enough, by its own clock. The clocks of two processes are never compared.
 *
 * <p><b>What cannot be known is asked.</b> If the provider has neither keys nor tags, and an answer was lost, nothing is created
 * until a person says what there is.
 */
@Incubating
@NullMarked
package io.github.reconciler4j.external;

import io.github.reconciler4j.support.Incubating;
import org.jspecify.annotations.NullMarked;
