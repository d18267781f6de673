package io.github.reconciler4j.client.internal.kubeconfig;

import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.support.TimeSource;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file that contains a token and is replaced from time to time, as that of a service account. It is read every 10 seconds while
 * requests are sent, and after a 401. While it cannot be read, or contains no token, the previous token stays in use.
 *
 * @since 0.1.0
 */
public final class TokenFile implements RenewableCredentials {

    private static final Logger logger = LoggerFactory.getLogger(TokenFile.class);
    private static final long CHECK_INTERVAL = TimeUnit.SECONDS.toNanos(10);

    /** An API server does not read longer headers. */
    private static final int MAX_LENGTH = 1 << 20;

    private final Path path;
    private final TimeSource time;
    private final LogLimiter warnings;
    private volatile @Nullable Credential known;
    private volatile long nextRead;

    /**
     * Create it; nothing is read yet.
     *
     * @param fallback the token until the file has been read, null for none
     */
    public TokenFile(Path path, @Nullable String fallback, TimeSource time) {
        this.path = path;
        this.time = time;
        this.warnings = new LogLimiter(Duration.ofMinutes(1), time);
        this.known = fallback == null || fallback.isEmpty() ? null : new Credential(fallback, null, null);
        this.nextRead = time.nanoTime();
    }

    /** Return what is in a file, without white space around it; of a longer file than a token can be, only the start. */
    public static String read(Path path) throws IOException {
        try (InputStream in = Files.newInputStream(path)) {
            return new String(in.readNBytes(MAX_LENGTH + 1), StandardCharsets.ISO_8859_1).strip();
        }
    }

    @Override
    public Credential current() {
        Credential credential = known;
        return credential != null && time.nanoTime() - nextRead < 0 ? credential : readAgain();
    }

    @Override
    public @Nullable Credential renew(Credential rejected) {
        Credential found = readAgain();
        return String.valueOf(found.token()).equals(rejected.token()) ? null : found;
    }

    private Credential readAgain() {
        nextRead = time.nanoTime() + CHECK_INTERVAL;
        Credential previous = known;
        String problem;
        try {
            String token = read(path);
            problem = problem(token);
            if (problem == null) {
                if (previous == null || !token.equals(previous.token())) {
                    previous = new Credential(token, null, null);
                    known = previous;
                }
                return previous;
            }
        } catch (IOException e) {
            problem = "cannot be read: " + e;
        }
        if (previous == null) {
            throw new CredentialsException("the token file " + path + " " + problem);
        }
        if (!problem.equals(EMPTY)) { // a file that is being written
            warn(problem);
        }
        return previous;
    }

    private static final String EMPTY = "is empty";

    /** Return why a text is no token, null if it is one. */
    private static @Nullable String problem(String token) {
        if (token.isEmpty()) {
            return EMPTY;
        }
        boolean isToken = token.length() <= MAX_LENGTH && token.chars().allMatch(c -> c > ' ' && c < 0x7f);
        return isToken
                ? null
                : "contains no token, but a line break, a space, a character that no HTTP header can have or more than 1 MiB:"
                        + " write the token alone into it";
    }

    private void warn(String problem) {
        warnings.log(
                problem,
                occurrence -> logger.warn(
                        "Could not read the token file {}, so the previous token stays in use: it {} (R4J-032){}",
                        path,
                        problem,
                        occurrence.suffix()));
    }

    @Override
    public String toString() {
        return "TokenFile[" + path + "]";
    }
}
