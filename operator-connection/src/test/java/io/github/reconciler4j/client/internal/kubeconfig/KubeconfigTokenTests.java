package io.github.reconciler4j.client.internal.kubeconfig;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.client.connection.InvalidKubeconfigException;
import io.github.reconciler4j.fixtures.ManualTimeSource;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** When the token of a kubeconfig is read again. */
class KubeconfigTokenTests {

    private final ManualTimeSource time = new ManualTimeSource();
    private final AtomicInteger reads = new AtomicInteger();
    private volatile String written = "first";

    private final KubeconfigToken token = new KubeconfigToken(this::read, "first", time);

    private String read() {
        reads.incrementAndGet();
        if (written == null) {
            throw new InvalidKubeconfigException("The kubeconfig", "is being written");
        }
        return written;
    }

    @Test
    void tokenIsReadAgainOnlyAfterItWasRejected() {
        assertThat(token.current().token()).isEqualTo("first");
        assertThat(token.getToken()).isEqualTo("first");
        assertThat(token.mayHaveCertificate()).isFalse();
        assertThat(reads).hasValue(0);
        assertThat(token).hasToString("KubeconfigToken");
        written = "second";
        Credential first = token.current();

        Credential second = token.renew(first);

        assertThat(second.token()).isEqualTo("second");
        assertThat(token.current()).isSameAs(second);
        assertThat(token.renew(first)).as("of another request").isSameAs(second);
        assertThat(reads).hasValue(1);
    }

    @Test
    void tokenWhenItStaysTheSameIsReadEveryTenSeconds() {
        Credential first = token.current();
        assertThat(token.renew(first)).isNull();
        assertThat(token.renew(first)).isNull();
        time.advance(Duration.ofSeconds(10).minusNanos(1));
        assertThat(token.renew(first)).isNull();
        assertThat(reads).hasValue(1);
        time.advance(Duration.ofNanos(1));
        assertThat(token.renew(first)).isNull();
        assertThat(reads).hasValue(2);
        assertThat(token.current()).isSameAs(first);
    }

    @Test
    void tokenWhenItCannotBeReadStays() {
        Credential first = token.current();
        written = null;
        assertThat(token.renew(first)).isNull();
        written = "";
        time.advance(Duration.ofSeconds(10));
        assertThat(token.renew(first)).isNull();
        assertThat(token.current()).isSameAs(first);
    }
}
