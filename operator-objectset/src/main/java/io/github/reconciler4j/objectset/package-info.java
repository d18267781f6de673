/**
 * Children of an object: which there are, in which order, when they are ready, and what is deleted.
 *
 * <p>A reconciler declares the children as an {@link io.github.reconciler4j.objectset.ObjectSet}, and
 * {@link io.github.reconciler4j.objectset.ObjectSets} makes the cluster equal to it. The
 * {@link io.github.reconciler4j.objectset.ObjectSetResult} says how each object stands.
 *
 * <h2>Design</h2>
 *
 * <p><b>The cache is the inventory.</b> The controller watches its children anyway, and an index finds those of an owner. So
 * there is no list of objects that could be wrong. All that must be remembered is which kinds a set ever used: an annotation of
 * the owner, with a field manager of its own, that is written before the first object of a kind is created. A crash between the
 * two leaves a kind too many in the annotation, never an object without its kind.
 *
 * <p><b>Only what is ours.</b> An object belongs to a set if its managing controller has the uid of the owner, or if it has the
 * label with that uid. A deletion names uid and resourceVersion of what was looked at, an apply to an existing object its uid, and
 * a creation a version that no object has. So a cache that is late can delay a write, but never direct it at an object of
 * another owner.
 *
 * <p><b>Order without state.</b> The steps are derived from the set each time. A step whose turn has not come keeps what it has. If
 * it contains a condition that is not met, its objects are unknown, so the set deletes no object until then.
 *
 * <p><b>Nothing at rest.</b> A set that is as desired sends no request: applies compare with the cache, and reads use it.
 */
@Incubating
@NullMarked
package io.github.reconciler4j.objectset;

import io.github.reconciler4j.support.Incubating;
import org.jspecify.annotations.NullMarked;
