package io.github.reconciler4j.client.internal;

import io.github.reconciler4j.client.ClientCall;
import io.github.reconciler4j.client.ObservedWrite;
import io.github.reconciler4j.client.WriteObserver;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs observed writes, each object's again only when it has changed. Safe for use by many threads.
 *
 * @since 0.1.0
 */
public final class ObservedWriteLog implements WriteObserver {

    private static final Logger logger = LoggerFactory.getLogger("io.github.reconciler4j.client.observe");
    private static final int REMEMBERED = 10_000;

    private final ReentrantLock lock = new ReentrantLock();

    /** Guarded by lock. */
    private final Map<String, String> last = new LinkedHashMap<>(64, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
            return size() > REMEMBERED;
        }
    };

    /** Creates it. */
    public ObservedWriteLog() {}

    @Override
    public void observed(ObservedWrite write) {
        ClientCall call = write.call();
        String what = call.verb().word() + " " + call.kind().resource()
                + (call.subresource().isEmpty() ? "" : "/" + call.subresource()) + " " + write.object();
        String effect = describe(write);
        if (isNews(what, effect)) {
            logger.info("Observe mode: {} would have {}", what, effect);
        }
    }

    private boolean isNews(String what, String effect) {
        lock.lock();
        try {
            return !effect.equals(last.put(what, effect));
        } finally {
            lock.unlock();
        }
    }

    private static String describe(ObservedWrite write) {
        StringBuilder text = new StringBuilder(
                switch (write.effect()) {
                    case CREATED -> "created it";
                    case CHANGED -> "changed it";
                    case DELETED -> "deleted it";
                });
        String separator = ": ";
        for (ObservedWrite.Change change : write.changes()) {
            text.append(separator).append(change.path()).append(' ');
            text.append(change.before().isEmpty() ? "(none)" : change.before()).append(" -> ");
            text.append(change.after().isEmpty() ? "(none)" : change.after());
            separator = "; ";
        }
        return text.toString();
    }
}
