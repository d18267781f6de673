package io.github.reconciler4j.client.internal.kubeconfig;

import io.github.reconciler4j.client.connection.InvalidKubeconfigException;
import io.github.reconciler4j.support.TimeSource;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A token in a kubeconfig, which is read again after a 401, at most every 10 seconds. */
final class KubeconfigToken implements RenewableCredentials {

    private static final long CHECK_INTERVAL = TimeUnit.SECONDS.toNanos(10);

    private final Supplier<String> reader;
    private final TimeSource time;
    private volatile Credential known;
    private volatile long nextRead;

    /**
     * Create it.
     *
     * @param reader reads the token of the user again, {@code ""} for none
     */
    KubeconfigToken(Supplier<String> reader, String token, TimeSource time) {
        this.reader = reader;
        this.time = time;
        this.known = new Credential(token, null, null);
        this.nextRead = time.nanoTime();
    }

    @Override
    public Credential current() {
        return known;
    }

    @Override
    public @Nullable Credential renew(Credential rejected) {
        Credential current = known;
        if (current == rejected && time.nanoTime() - nextRead >= 0) {
            nextRead = time.nanoTime() + CHECK_INTERVAL;
            try {
                String token = reader.get();
                if (!token.isEmpty() && !token.equals(rejected.token())) {
                    current = new Credential(token, null, null);
                    known = current;
                }
            } catch (InvalidKubeconfigException e) {
                return null; // it is being written, or has gone; then the 401 stands
            }
        }
        return current == rejected ? null : current;
    }

    @Override
    public String toString() {
        return "KubeconfigToken";
    }
}
