package io.github.reconciler4j.cache.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.cache.ObjectSelector;
import io.github.reconciler4j.cache.internal.PendingWrite.Fate;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** What the server answers about a name of which it is not known what came of it. */
class PendingWriteLookupTests {

    private static final ObjectKey KEY = ObjectKey.of("a", "x");

    private final Progress progress = new Progress(ObjectSelector.everything());
    private final Queue<PendingWrite> answers = new ArrayDeque<>();
    private Runnable meanwhile = () -> {};
    private final PendingWrites writes = new PendingWrites(new ObjectStore(), this::look);

    private PendingWrite look(ObjectKey key) {
        meanwhile.run();
        meanwhile = () -> {};
        return answers.remove();
    }

    private static PendingWrite at(String version) {
        return new PendingWrite(version, "uid", null, Fate.WRITTEN);
    }

    @Test
    void getWhenTheServerWasAskedOnceKeepsItsAnswer() {
        writes.add(KEY, PendingWrite.unknown("", ""), progress);
        answers.add(at("20"));

        assertThat(writes.get(KEY)).isEqualTo(at("20"));
        assertThat(writes.get(KEY)).isEqualTo(at("20"));
    }

    @Test
    void getWhenSomethingIsWrittenWhileTheServerIsAskedAsksAgain() {
        writes.add(KEY, PendingWrite.unknown("", ""), progress);
        meanwhile = () -> writes.add(KEY, at("24"), progress);
        answers.addAll(List.of(at("20"), at("25")));

        assertThat(writes.get(KEY)).as("by who asked before the write").isEqualTo(at("20"));
        assertThat(writes.get(KEY)).isEqualTo(at("25"));
        assertThat(answers).isEmpty();
    }

    @Test
    void getWhenWatchIsGoneWhileTheServerIsAskedKeepsALaterWrite() {
        writes.add(KEY, PendingWrite.unknown("", ""), progress);
        meanwhile = () -> {
            writes.forget(namespace -> false);
            writes.add(KEY, at("24"), progress);
        };
        answers.add(at("20"));

        writes.get(KEY);

        assertThat(writes.get(KEY)).isEqualTo(at("24"));
    }
}
