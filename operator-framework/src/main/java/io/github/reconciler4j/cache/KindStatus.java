package io.github.reconciler4j.cache;

import io.github.reconciler4j.scheme.KindInfo;

/**
 * How a watched kind is. Immutable.
 *
 * @param kind the kind
 * @param synced whether the first list has been taken in completely
 * @param needsPerson whether something is wrong that does not mend by itself: a missing CustomResourceDefinition, a
 *     missing right, credentials that are not accepted
 * @param trouble what is wrong now, {@code ""} if nothing is; also after the first sync
 * @param objects how many objects of it are held
 */
public record KindStatus(KindInfo kind, boolean synced, boolean needsPerson, String trouble, int objects) {}
