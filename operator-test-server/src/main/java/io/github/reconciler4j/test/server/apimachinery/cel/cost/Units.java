package io.github.reconciler4j.test.server.apimachinery.cel.cost;

/** What the steps of an expression cost. */
final class Units {
    static final long LIST = 10;
    static final long MAP = 30;
    static final long STRUCT = 40;
    /** For each character, or byte, that is looked at. */
    static final double TRAVERSAL = 0.1;
    /** For each character of a regular expression. */
    static final double EXPRESSION = 0.25;

    /** The longest expression of a named format that is reckoned with. */
    static final int FORMAT_EXPRESSION = 128;

    private Units() {}
}
