/**
 * Reads the JSON of the API server into the packed form of the store.
 *
 * <p>A {@code JsonReader} walks over a response as it arrives and copies or skips whole values without looking into them.
 * An {@code ItemReader} copies one object, without {@code metadata.managedFields}; a {@code HeaderReader} then reads the
 * metadata of that copy into a {@code MutableHeader}. Strings, label arrays and owners that many objects have in common
 * are shared ({@code StringInterner}, {@code HeaderReader.Interner}). What is inside a body is validated when it is decoded, so that
 * taking in an object costs little more than copying it.
 */
@NullMarked
package io.github.reconciler4j.cache.internal.json;

import org.jspecify.annotations.NullMarked;
