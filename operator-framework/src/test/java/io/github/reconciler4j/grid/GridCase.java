package io.github.reconciler4j.grid;

import java.util.List;

/** A case of a grid. */
interface GridCase {

    /** Run the case and return the rules that it violates. */
    List<String> run() throws Exception;
}
