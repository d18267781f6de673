package io.github.reconciler4j.cache.internal;

import java.util.Collection;

/** Says which terms an entry has in an index. May run code of the user; called by several threads. */
@FunctionalInterface
interface TermFunction {

    /** The terms; more than once means once. */
    Collection<String> terms(Entry entry);
}
