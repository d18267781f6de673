/** Things that go wrong on purpose: rules by which a server misbehaves, repeatable by their seeds. */
@NullMarked
package io.github.reconciler4j.test.faults;

import org.jspecify.annotations.NullMarked;
