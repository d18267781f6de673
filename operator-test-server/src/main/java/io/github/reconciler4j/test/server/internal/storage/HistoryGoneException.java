package io.github.reconciler4j.test.server.internal.storage;

/** The asked-for version is older than the history that is kept. */
public final class HistoryGoneException extends Exception {
    private static final long serialVersionUID = 1L;

    private final long asked;
    private final long oldest;

    HistoryGoneException(long asked, long oldest) {
        super("version " + asked + " is older than " + oldest, null, false, false);
        this.asked = asked;
        this.oldest = oldest;
    }

    public long asked() {
        return asked;
    }

    public long oldest() {
        return oldest;
    }
}
