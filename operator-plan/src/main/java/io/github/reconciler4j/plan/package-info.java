/**
 * Plans: what a version of an operator would change in a cluster, before it is installed.
 *
 * <p>A {@link io.github.reconciler4j.plan.Plan} lets each controller reconcile each of its objects once, beside the running version. The
 * {@link io.github.reconciler4j.plan.PlanReport} names the objects and fields that would change.
 *
 * <h2>Design</h2>
 *
 * <p><b>The server decides.</b> An apply, an update and a patch are one dry run each, so defaults and admission are in the plan. The
 * state before comes from the cache. Deletions and statuses cost no request.
 *
 * <p><b>One pass.</b> Each request runs once. What a reconciler sees of its own writes is what it gets back from them, as the cache shows
 * what is there.
 */
@Incubating
@NullMarked
package io.github.reconciler4j.plan;

import io.github.reconciler4j.support.Incubating;
import org.jspecify.annotations.NullMarked;
